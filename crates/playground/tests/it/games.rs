use risk_playground::{Playground, Reply, Request};

#[test]
fn a_link_is_played() {
    let mut page = Playground::default();
    let link = "ruleset=hasbro&bot=human&bot=general&bot=general&seed=7".to_owned();
    let opened = page.reply(Request::Open { link });
    eprintln!("{}", &serde_json::to_string(&opened).unwrap()[..300]);
    for n in 0..60 {
        let looked = page.reply(Request::Look {
            seat: Some(0),
            epoch: 0,
            from: 0,
        });
        let Reply::Sheet { sheet, asked } = looked else {
            panic!("{looked:?}")
        };
        if asked.is_empty() {
            eprintln!("{}", sheet["end"]);
            break;
        }
        let q = &sheet["question"];
        let said = page.reply(Request::Say {
            seat: 0,
            request: serde_json::json!({"question": q["id"], "auto": true}),
        });
        eprintln!("{n} {said:?}");
    }
    let link = page.reply(Request::Link {});
    eprintln!("{link:?}");
    let Reply::Text { text: link, .. } = link else {
        panic!()
    };
    let mut other = Playground::default();
    let opened = other.reply(Request::Open { link });
    let Reply::Opened { differences, .. } = opened else {
        panic!("{opened:?}")
    };
    assert_eq!(differences, Vec::<String>::new());
    assert_eq!(
        page.reply(Request::Record {}),
        other.reply(Request::Record {})
    );
}
