//! The colours of players, for all eyes: differences by CIEDE2000, colour blindness by Machado,
//! Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
//! Deficiency" (2009), at severity 1.

use risk_maps::map::{CheckSettings, check};
use risk_report::picture::{self, NOBODY, SEAS, colour_of};
use risk_testing::games::TINY;
use risk_text::diag::TextFile;

type Triple = [f64; 3];

/// Normal eyes, protanopes, deuteranopes and tritanopes, as matrices for linear RGB.
const EYES: [[Triple; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
];

/// Returns a colour as these eyes see it, in CIELAB for the white of D65.
fn seen(colour: &str, eyes: &[Triple; 3]) -> Triple {
    let value = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
    let linear = [1, 3, 5].map(value).map(|value| {
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    let times = |row: &Triple, by: &Triple| row.iter().zip(by).map(|(a, b)| a * b).sum::<f64>();
    let rgb = eyes.map(|row| times(&row, &linear).clamp(0.0, 1.0));
    let [x, y, z] = [
        ([0.4124564, 0.3575761, 0.1804375], 0.95047),
        ([0.2126729, 0.7151522, 0.0721750], 1.0),
        ([0.0193339, 0.1191920, 0.9503041], 1.08883),
    ]
    .map(|(row, white)| {
        let share = times(&row, &rgb) / white;
        if share > 216.0 / 24389.0 {
            share.cbrt()
        } else {
            (24389.0 / 27.0 * share + 16.0) / 116.0
        }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the difference of two colours by CIEDE2000 (ISO/CIE 11664-6).
fn difference(one: Triple, other: Triple) -> f64 {
    let seventh = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25_f64.powi(7))).sqrt();
    let mean = f64::midpoint(one[1].hypot(one[2]), other[1].hypot(other[2]));
    let gain = 1.0 + 0.5 * (1.0 - seventh(mean));
    let polar = |lab: Triple| {
        let hue = lab[2].atan2(gain * lab[1]).to_degrees().rem_euclid(360.0);
        ((gain * lab[1]).hypot(lab[2]), hue)
    };
    let ((chroma1, hue1), (chroma2, hue2)) = (polar(one), polar(other));
    let grey = chroma1 * chroma2 == 0.0;
    let turn = match hue2 - hue1 {
        _ if grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let hue = if grey {
        hue1 + hue2
    } else if (hue1 - hue2).abs() <= 180.0 {
        f64::midpoint(hue1, hue2)
    } else {
        (f64::midpoint(hue1, hue2) + 180.0).rem_euclid(360.0)
    };
    let lightness = other[0] - one[0];
    let chroma = chroma2 - chroma1;
    let arc = 2.0 * (chroma1 * chroma2).sqrt() * (turn.to_radians() / 2.0).sin();
    let light = (f64::midpoint(one[0], other[0]) - 50.0).powi(2);
    let middle = f64::midpoint(chroma1, chroma2);
    let wave = |degrees: f64| degrees.to_radians().cos();
    let weight =
        1.0 - 0.17 * wave(hue - 30.0) + 0.24 * wave(2.0 * hue) + 0.32 * wave(3.0 * hue + 6.0)
            - 0.20 * wave(4.0 * hue - 63.0);
    let of_lightness = lightness / (1.0 + 0.015 * light / (20.0 + light).sqrt());
    let of_chroma = chroma / (1.0 + 0.045 * middle);
    let of_hue = arc / (1.0 + 0.015 * middle * weight);
    let turned = 60.0 * (-((hue - 275.0) / 25.0).powi(2)).exp();
    let rotation = -2.0 * seventh(middle) * turned.to_radians().sin();
    (of_lightness.powi(2) + of_chroma.powi(2) + of_hue.powi(2) + rotation * of_chroma * of_hue)
        .sqrt()
}

/// Pairs from the test data of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula"
/// (2005), table 1.
#[test]
fn differences_are_those_of_the_published_pairs() {
    for (one, other, expected) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.8977),
        (
            [60.2574, -34.0099, 36.2677],
            [60.4626, -34.1751, 39.4387],
            1.2644,
        ),
        (
            [22.7233, 20.0904, -46.6940],
            [23.0331, 14.9730, -42.5619],
            2.0373,
        ),
        (
            [90.9257, -0.5406, -0.9208],
            [88.6381, -0.8985, -0.7239],
            1.5381,
        ),
        (
            [2.0776, 0.0795, -1.1350],
            [0.9033, -0.0636, -0.5514],
            0.9082,
        ),
    ] {
        let found = difference(one, other);
        assert!(
            (found - expected).abs() < 1e-4,
            "{one:?} {other:?}: {found}"
        );
    }
}

#[test]
fn the_first_six_players_differ_for_all_eyes() {
    let colours: Vec<String> = (0..6).map(colour_of).collect();
    for (number, eyes) in EYES.iter().enumerate() {
        for (seat, colour) in colours.iter().enumerate() {
            let own = seen(colour, eyes);
            for other in &colours[..seat] {
                let far = difference(own, seen(other, eyes));
                assert!(far >= 20.0, "eyes {number}: {colour} {other}: {far:.1}");
            }
            for other in SEAS.into_iter().chain([NOBODY]) {
                let far = difference(own, seen(other, eyes));
                assert!(far >= 15.0, "eyes {number}: {colour} {other}: {far:.1}");
            }
        }
    }
}

/// Land differs from the sea and from the white lines around it, and does not glare, whatever
/// colour a map requests.
#[test]
fn requested_colours_are_tamed() {
    let normal = &EYES[0];
    let requested = [
        "#ffffff", "#ffff00", "#ff0000", "#00ff00", "#0000ff", "#00ffff", "#ff00ff", "#000000",
        "#eaf1f6", "#14202b", "#d9a441",
    ];
    for asked in requested {
        let text = TINY.replace("bonus: 2 }", &format!("bonus: 2, colour: \"{asked}\" }}"));
        let checked = check(&TextFile::new("m.yaml", &text), &CheckSettings::default());
        let svg = picture::map(&checked.board.unwrap());
        let (_, key) = svg
            .split_once("width=\"16\" height=\"16\" rx=\"3\" fill=\"")
            .unwrap();
        let drawn = seen(&key[..7], normal);
        for other in [SEAS[0], SEAS[1], "#ffffff"] {
            let far = difference(drawn, seen(other, normal));
            assert!(
                far >= 9.0,
                "{asked} as {}: {far:.1} from {other}",
                &key[..7]
            );
        }
        let chroma = drawn[1].hypot(drawn[2]);
        assert!(chroma <= 70.0, "{asked} as {}: {chroma:.1}", &key[..7]);
    }
}
