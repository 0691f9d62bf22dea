//! Distributions against tables that mpmath computed with 40 digits, and a histogram.

use risk_stats::StatsError;
use risk_stats::distributions::{
    chi_square_sf, f_sf, normal_cdf, normal_quantile, t_quantile, t_sf,
};
use risk_stats::histogram::Histogram;

/// Checks ten digits, also in the far tail.
fn check(what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= 1e-10 * expected.abs() || error < 1e-305,
        "{what}: {found:e}, not {expected:e}"
    );
}

#[test]
fn normal_chances() {
    for (x, chance) in [
        (-30.0, 4.906_713_927_148_187e-198),
        (-8.5, 9.479_534_822_203_318e-18),
        (-1.96, 0.024997895148220434),
        (0.0, 0.5),
        (0.3, 0.617_911_422_188_952_7),
        (2.5, 0.993_790_334_674_223_8),
        (6.0, 0.999_999_999_013_412_3),
    ] {
        check(&format!("normal_cdf({x})"), normal_cdf(x), chance);
    }
}

#[test]
fn normal_quantiles() {
    for (chance, x) in [
        (1e-12, -7.034_483_825_301_132),
        (0.0001, -3.7190164854556806),
        (0.025, -1.9599639845400542),
        (0.31, -0.495_850_347_347_453_3),
        (0.5, 0.0),
        (0.975, 1.9599639845400542),
        (0.999999, 4.753_424_308_822_899),
    ] {
        let found = normal_quantile(chance).unwrap();
        assert!(
            (found - x).abs() < 1e-10,
            "normal_quantile({chance}): {found}"
        );
    }
    assert!(normal_quantile(0.0).is_err() && normal_quantile(f64::NAN).is_err());
}

#[test]
fn t_chances_and_quantiles() {
    for (x, freedom, chance) in [
        (0.5, 1.0, 0.35241638234956673),
        (2.0, 3.0, 0.069_662_984_279_421_6),
        (12.5, 4.0, 1.178080234463499e-4),
        (1.96, 39.0, 0.028584469966939579),
        (3.3, 99.0, 6.723_823_731_995_892e-4),
        (25.0, 30.0, 6.045_911_190_643_513e-22),
        (2.2, 1000.0, 0.01401751266334895),
        (4.5, 1e6, 3.3980552524769493e-6),
    ] {
        check("t_sf", t_sf(x, freedom).unwrap(), chance);
    }
    for (chance, freedom, x) in [
        (0.9, 1.0, 3.0776835371752534),
        (0.975, 9.0, 2.2621571627982055),
        (0.975, 24.0, 2.063_898_561_628_026),
        (0.975, 99.0, 1.9842169515864175),
        (0.99375, 199.0, 2.5206153861935677),
        (0.999999, 12.0, 8.504_302_718_054_584),
        (0.995, 1e6, 2.5758342201053342),
        (0.6, 2.0, 0.28867513459481288),
        (0.999, 1.0, 318.30883898555045),
    ] {
        check("t_quantile", t_quantile(chance, freedom).unwrap(), x);
        let mirrored = t_quantile(1.0 - chance, freedom).unwrap();
        assert!((mirrored + x).abs() < 1e-9 * x, "{mirrored} is not -{x}");
    }
    assert_eq!(t_quantile(0.5, 7.0), Ok(0.0));
    assert!(t_quantile(0.975, 0.0).is_err() && t_sf(f64::INFINITY, 3.0).is_err());
}

#[test]
fn chi_square_and_f_tails() {
    for (x, freedom, chance) in [
        (0.5, 1.0, 0.479_500_122_186_953_5),
        (3.841458820694124, 1.0, 0.050_000_000_000_000_06),
        (7.8, 3.0, 0.050_331_097_859_853_35),
        (30.0, 5.0, 1.4748581038443052e-5),
        (250.0, 3.0, 6.543_750_030_967_994e-54),
        (45.0, 60.0, 0.925_258_135_203_674_1),
        (120000.0, 120500.0, 0.845_792_794_296_645_7),
        (0.01, 5.0, 0.999_999_469_972_995_7),
    ] {
        check("chi_square_sf", chi_square_sf(x, freedom).unwrap(), chance);
    }
    for (x, above, below, chance) in [
        (1.0, 1.0, 1.0, 0.5),
        (2.7, 3.0, 97.0, 0.049_900_165_794_554_3),
        (0.2, 5.0, 5.0, 0.949_030_260_585_070_8),
        (4.0, 2.0, 1e6, 0.018315931939737864),
        (60.0, 3.0, 25.0, 1.4618593090174129e-11),
        (1.02, 500.0, 900.0, 0.397_933_335_238_959_8),
    ] {
        check("f_sf", f_sf(x, above, below).unwrap(), chance);
    }
    assert_eq!(chi_square_sf(0.0, 3.0), Ok(1.0));
    assert!(chi_square_sf(-1.0, 3.0).is_err() && f_sf(1.0, 0.5, 3.0).is_err());
    assert!(f_sf(1.0, 1e4, 1e6).is_err());
}

#[test]
fn a_histogram_in_powers_of_two() {
    let mut values = Histogram::default();
    assert_eq!(values.quantile(0.99), Err(StatsError::NoData));
    for value in 0..1000 {
        values.add(value);
    }
    assert_eq!(values.counts(), [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 488]);
    assert_eq!((values.total(), values.largest()), (1000, 999));
    // Even values come out as they are.
    for (chance, value) in [(0.99, 989.0), (0.5, 500.0), (1.0, 999.0), (0.0, 0.0)] {
        let found = values.quantile(chance).unwrap();
        assert!((found - value).abs() <= 1.0, "p{chance}: {found}");
    }
    let again = Histogram::from_counts(values.counts(), 999).unwrap();
    assert_eq!(again, values);
    assert!(Histogram::from_counts(values.counts(), 1024).is_err());
    let mut both = again;
    both.merge(&values);
    both.add(u64::MAX);
    assert_eq!((both.total(), both.largest()), (2001, u64::MAX));
    assert_eq!(both.counts().len(), 65);
}
