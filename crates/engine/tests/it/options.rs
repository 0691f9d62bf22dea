//! Options as products: counting, listing and admission agree.

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use risk_kernel::action::{Action, AdmissionError, Domain, Offer, Options};
use risk_kernel::id::Verb;

use risk_testing::by_case::each;

#[derive(Clone, Debug)]
enum PlainDomain {
    Is(i32),
    Span(i32, i32),
    Among(Vec<i32>),
}

fn plain() -> impl Strategy<Value = PlainDomain> {
    let among = prop::collection::btree_set(-5..20, 0..5)
        .prop_map(|set| PlainDomain::Among(set.into_iter().collect()));
    proptest::prop_oneof![
        (-5..20).prop_map(PlainDomain::Is),
        (-5..5, -1..6).prop_map(|(low, more)| PlainDomain::Span(low, low + more)),
        among
    ]
}

fn listed(slots: &[PlainDomain]) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for slot in slots {
        let values: Vec<i32> = match slot {
            PlainDomain::Is(value) => vec![*value],
            PlainDomain::Span(low, high) => (*low..=*high).collect(),
            PlainDomain::Among(values) => values.clone(),
        };
        all = all
            .iter()
            .flat_map(|start| {
                values
                    .iter()
                    .map(move |&value| [start.as_slice(), &[value]].concat())
            })
            .collect();
    }
    all
}

/// Generates offers of several verbs, and parameters that may or may not be offered.
fn offers() -> impl Strategy<Value = (Vec<Vec<PlainDomain>>, Vec<i8>)> {
    (
        prop::collection::vec(prop::collection::vec(plain(), 0..4), 0..5),
        prop::collection::vec(any::<i8>(), 0..4),
    )
}

fn agree(offers: &[Vec<PlainDomain>], probe: &[i8]) -> Result<(), TestCaseError> {
    let mut options = Options::new();
    let mut expected = Vec::new();
    for (number, slots) in offers.iter().enumerate() {
        // Offers must not overlap, so each has its own verb.
        let verb = Verb(number as u8);
        let domains: Vec<Domain> = slots
            .iter()
            .map(|slot| match slot {
                PlainDomain::Is(value) => Domain::Is(*value),
                PlainDomain::Span(low, high) => Domain::Span {
                    low: *low,
                    high: *high,
                },
                PlainDomain::Among(values) => options.among(values.iter().copied()),
            })
            .collect();
        options.offer(verb, &domains);
        expected.extend(
            listed(slots)
                .into_iter()
                .map(|args| Action::new(verb, &args)),
        );
    }
    prop_assert_eq!(options.len(), expected.len() as u64);
    prop_assert_eq!(options.is_empty(), expected.is_empty());
    for (number, action) in expected.iter().enumerate() {
        prop_assert_eq!(options.nth(number as u64), *action);
        prop_assert_eq!(
            options.admit(*action).map(|legal| legal.action()),
            Ok(*action)
        );
    }
    let args: Vec<i32> = probe.iter().map(|&value| value.into()).collect();
    for verb in 0..6 {
        let said = Action::new(Verb(verb), &args);
        prop_assert_eq!(options.admit(said).is_ok(), expected.contains(&said));
    }
    prop_assert!(!options.has(Verb(200)));
    Ok(())
}

#[test]
fn count_list_and_admission_agree() {
    each(0..16_u8, |&seed| {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let config = Config {
            cases: 32,
            failure_persistence: None,
            ..Config::default()
        };
        let outcome = TestRunner::new_with_rng(config, rng)
            .run(&offers(), |(offers, probe)| agree(&offers, &probe));
        if let Err(error) = outcome {
            panic!("{error}");
        }
    });
}

#[test]
fn a_refusal_says_what_is_wrong() {
    let mut options = Options::new();
    let foes = options.among([7, 9]);
    options.offer(
        Verb(1),
        &[Domain::Is(3), foes, Domain::Span { low: 1, high: 2 }],
    );
    let rows: &[(u8, &[i32], Option<AdmissionError>)] = &[
        (1, &[3, 9, 2], None),
        (2, &[3, 9, 2], Some(AdmissionError::Verb)),
        (1, &[3, 9], Some(AdmissionError::Count { wants: 3 })),
        (1, &[4, 9, 2], Some(AdmissionError::Slot(0))),
        (1, &[3, 8, 2], Some(AdmissionError::Slot(1))),
        (1, &[3, 7, 3], Some(AdmissionError::Slot(2))),
        (1, &[3, 7, 0], Some(AdmissionError::Slot(2))),
    ];
    for (verb, args, expected) in rows {
        assert_eq!(
            options.admit(Action::new(Verb(*verb), args)).err(),
            *expected,
            "{args:?}"
        );
    }
}

#[test]
fn an_offer_of_nothing_is_no_offer() {
    let mut options = Options::new();
    let none = options.among([]);
    options.offer(Verb(0), &[Domain::Is(1), none]);
    options.offer(Verb(1), &[Domain::Span { low: 2, high: 1 }]);
    assert!(options.is_empty() && options.offers().is_empty());
    options.offer(
        Verb(2),
        &[Domain::Span {
            low: i32::MIN,
            high: i32::MAX,
        }],
    );
    assert_eq!(options.len(), 1 << 32);
    assert_eq!(options.nth((1 << 32) - 1).args(), [i32::MAX]);
}

#[test]
fn plans_are_products_of_steps() {
    let mut ask = Options::new();
    let span = |low, high| Domain::Span { low, high };
    ask.plan(&[
        Offer::new(Verb(0), &[span(1, 2)]),
        Offer::new(Verb(0), &[span(5, 7)]),
    ]);
    ask.plan(&[Offer::new(Verb(0), &[span(1, 0)])]);
    ask.plan(&[Offer::new(Verb(0), &[Domain::Is(9)])]);
    let numbers = |which| {
        ask.nth_plan(which)
            .iter()
            .map(|step| step.args()[0])
            .collect::<Vec<_>>()
    };
    let all: Vec<Vec<i32>> = (0..ask.plans()).map(numbers).collect();
    assert_eq!(
        all,
        [
            vec![1, 5],
            vec![1, 6],
            vec![1, 7],
            vec![2, 5],
            vec![2, 6],
            vec![2, 7],
            vec![9]
        ]
    );
    let say = |numbers: &[i32]| {
        numbers
            .iter()
            .map(|&number| Action::new(Verb(0), &[number]))
            .collect::<Vec<_>>()
    };
    assert!(ask.has_plan(&say(&[2, 6])) && ask.has_plan(&say(&[9])));
    assert!(!ask.has_plan(&say(&[2])) && !ask.has_plan(&say(&[2, 8])) && !ask.has_plan(&say(&[])));
    ask.keep_plans(|steps| steps.len() == 1);
    assert_eq!((ask.plans(), ask.nth_plan(0)), (1, say(&[9])));
}
