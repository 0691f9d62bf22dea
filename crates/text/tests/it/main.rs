//! Text output: nothing in it steers a terminal or stays invisible.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

use std::io::Write;

use risk_text::names::name_column;
use risk_text::paint::Paint;
use risk_text::plural::plural;
use risk_text::{
    Outlet, adopt, decode_windows_1252, escape_control, escape_json, escape_lines, is_control,
    isolated, isolated_html, palette, signed, style, without_isolates, without_marks,
};
use unicode_width::UnicodeWidthStr;

/// A malicious name: a colour, a window title, reversed text, and invisible characters.
const NAME: &str = "a\u{1b}[31m\u{1b}]0;owned\u{7}\u{202e}\u{200b}\u{2066}\u{feff}\u{e0041}";
/// The name as it is shown.
const SHOWN: &str = r"a\u{1b}[31m\u{1b}]0;owned\u{7}\u{202e}\u{200b}\u{2066}\u{feff}\u{e0041}";

#[test]
fn characters_that_steer_are_spelled_out() {
    let rows = [
        ("plain", "plain", "plain"),
        (
            "naïve 東京 🙂 ❤\u{fe0f}",
            "naïve 東京 🙂 ❤\u{fe0f}",
            "naïve 東京 🙂 ❤\u{fe0f}",
        ),
        ("two\nlines", r"two\nlines", "two\nlines"),
        ("of Windows\r\n", r"of Windows\r\n", "of Windows\n"),
        ("over\rwritten", r"over\rwritten", r"over\rwritten"),
        (NAME, SHOWN, SHOWN),
        ("\u{9b}31m", r"\u{9b}31m", r"\u{9b}31m"),
        ("\u{fdd0}", r"\u{fdd0}", r"\u{fdd0}"),
    ];
    for (text, line, lines) in rows {
        assert_eq!(escape_control(text), line);
        assert_eq!(escape_lines(text), lines);
    }
    let json = serde_json::to_string(NAME).unwrap();
    let escaped = escape_json(&json);
    assert!(!escaped.chars().any(is_control), "{escaped}");
    assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), NAME);
}

/// Returns red, green and blue of a colour of the 256, by its number from 16 on.
fn channels(colour: u8) -> [u8; 3] {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match colour {
        0..16 => panic!("{colour} is what the theme makes of it"),
        16..232 => {
            let cube = usize::from(colour - 16);
            [cube / 36, cube / 6 % 6, cube % 6].map(|step| STEPS[step])
        }
        232.. => [8 + 10 * (colour - 232); 3],
    }
}

fn contrast(one: u8, other: u8) -> f64 {
    let light = |colour: u8| {
        let linear = channels(colour).map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.039_28 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
    };
    let (one, other) = (light(one), light(other));
    one.max(other) / one.min(other)
}

/// The error texts of libraries are included.
#[test]
fn text_is_read_on_white_and_on_black() {
    let paint = Paint {
        colour: true,
        width: 80,
    };
    let mut texts: Vec<String> = (0..12).map(|seat| paint.seat(seat, "x")).collect();
    texts.extend([paint.good("x"), paint.bad("x")]);
    let themes = (30..38).chain(90..98);
    texts.extend(themes.map(|code| adopt(&format!("\u{1b}[1;{code}mx\u{1b}[0m"))));
    for text in texts {
        let mut out = Outlet::new(Vec::new(), true);
        out.write_all(text.as_bytes()).unwrap();
        let shown = String::from_utf8(out.into_inner()).unwrap();
        let code = shown.split("\u{1b}[").nth(1).unwrap();
        let code = code.trim_end_matches('x').trim_end_matches('m');
        let code = code.strip_prefix("1;").unwrap_or(code);
        if code == "39" {
            continue;
        }
        let colour = code.strip_prefix("38;5;").unwrap().parse().unwrap();
        for paper in [palette::LIGHT, palette::DARK] {
            let contrast = contrast(colour, paper);
            assert!(contrast >= 4.5, "{colour} on {paper}: {contrast}");
        }
    }
    for land in palette::SEATS {
        assert!(contrast(palette::LIGHT, land) >= 4.5, "{land}");
    }
    assert!(contrast(palette::DARK, palette::NOBODY) >= 4.5);
}

#[test]
fn only_colours_of_the_program_leave() {
    let leave = |text: &str, colour: bool, at_once: usize| {
        let mut out = Outlet::new(Vec::new(), colour);
        text.as_bytes()
            .chunks(at_once)
            .for_each(|bytes| out.write_all(bytes).unwrap());
        out.flush().unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    };
    let red = style("31", "réd");
    assert_eq!(
        without_marks(&format!("a {red} {}", style("1", "b"))),
        "a réd b"
    );
    let forged = format!("\u{fdd0}{};31\u{fdd1}x", "0".repeat(16));
    let rows = [
        (red.clone(), "\u{1b}[31mréd\u{1b}[0m", "réd"),
        (
            style("1", NAME),
            &format!("\u{1b}[1m{SHOWN}\u{1b}[0m"),
            SHOWN,
        ),
        (
            adopt("\u{1b}[38;2;1;2;3mx\u{1b}[0m\u{1b}[2J"),
            "\u{1b}[38;2;1;2;3mx\u{1b}[0m\\u{1b}[2J",
            "x\\u{1b}[2J",
        ),
        (
            forged,
            r"\u{fdd0}0000000000000000;31\u{fdd1}x",
            r"\u{fdd0}0000000000000000;31\u{fdd1}x",
        ),
        (
            "\u{fdd0}unfinished".to_owned(),
            r"\u{fdd0}unfinished",
            r"\u{fdd0}unfinished",
        ),
        (
            format!("\u{fdd0}{}", "long ".repeat(40)),
            &format!(r"\u{{fdd0}}{}", "long ".repeat(40)),
            &format!(r"\u{{fdd0}}{}", "long ".repeat(40)),
        ),
        (
            format!("\u{fdd0}x{red}"),
            "\\u{fdd0}x\u{1b}[31mréd\u{1b}[0m",
            r"\u{fdd0}xréd",
        ),
    ];
    for (text, coloured, plain) in rows {
        for at_once in [1, 2, 3, 7, 1_000] {
            assert_eq!(leave(&text, true, at_once), coloured);
            assert_eq!(leave(&text, false, at_once), plain);
        }
    }
    // Bytes that are not UTF-8.
    let mut out = Outlet::new(Vec::new(), false);
    out.write_all(b"a\xffb\xe2\x82").unwrap();
    out.flush().unwrap();
    assert_eq!(
        String::from_utf8(out.into_inner()).unwrap(),
        "a\u{fffd}b\u{fffd}"
    );
}

#[test]
fn zero_is_never_negative() {
    for (value, decimals, text) in [
        (0.0, 0, "+0"),
        (-0.0, 0, "+0"),
        (-0.4, 0, "+0"),
        (-0.6, 0, "-1"),
        (0.4, 1, "+0.4"),
        (-0.04, 1, "+0.0"),
        (-0.06, 1, "-0.1"),
        (-10.0, 2, "-10.00"),
        (f64::NEG_INFINITY, 1, "-inf"),
    ] {
        assert_eq!(signed(value, decimals), text, "{value}");
    }
}

/// The times are those of `date -u -d @SECONDS +%FT%TZ`.
#[test]
fn times_are_dates() {
    for (seconds, date) in [
        (0, "1970-01-01T00:00:00Z"),
        (68_169_599, "1972-02-28T23:59:59Z"),
        (68_169_600, "1972-02-29T00:00:00Z"),
        (68_256_000, "1972-03-01T00:00:00Z"),
        (951_868_799, "2000-02-29T23:59:59Z"),
        (951_868_800, "2000-03-01T00:00:00Z"),
        (1_795_753_763, "2026-11-27T04:29:23Z"),
        (4_107_542_399, "2100-02-28T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
        (253_402_300_800, "10000-01-01T00:00:00Z"),
    ] {
        assert_eq!(risk_text::utc(seconds), date);
    }
    assert!(risk_text::utc(u64::MAX).ends_with("T07:00:15Z"));
}

#[test]
fn plurals_of_units() {
    for (one, many) in [
        ("territory", "territories"),
        ("army", "armies"),
        ("heavy infantry", "heavy infantry"),
        ("Cavalry", "Cavalry"),
        ("X-wing", "X-wings"),
    ] {
        assert_eq!(plural(one), many);
    }
}

/// Names that differ look different in any room, and all are equally wide.
#[test]
fn names_in_a_column_can_be_told_apart() {
    let versions = (38..44).map(|version| format!("conquistador-deep-search-v{version}"));
    let middles = (0..12).map(|number| format!("{}{number:02}{}", "x".repeat(14), "y".repeat(14)));
    let wide = [
        "東京東京東京東京東京東京一",
        "東京東京東京東京東京東京二",
        "short",
    ]
    .map(str::to_owned);
    let lists: [Vec<String>; 3] = [versions.collect(), middles.collect(), wide.to_vec()];
    for names in lists {
        for room in 6..40 {
            let (heading, shown) = name_column("bot", &names, room);
            let widths: Vec<usize> = shown.iter().map(|name| name.width()).collect();
            assert!(
                widths.iter().all(|&width| width == heading.width()),
                "{shown:?}"
            );
            assert!(heading.width() <= room, "{shown:?}");
            let different: std::collections::BTreeSet<&String> = shown.iter().collect();
            assert_eq!(different.len(), names.len(), "{room}: {shown:?}");
        }
    }
    let same = name_column("", ["one name", "one name"], 5).1;
    assert_eq!(same, ["on…me"; 2]);
    let rows = [
        (vec!["ab", "c"], 9, vec!["ab", "c "]),
        (
            vec!["conquistador-v41", "conquistador-v42"],
            9,
            vec!["conq…-v41", "conq…-v42"],
        ),
        (
            vec!["one-general-x", "two-general-x"],
            7,
            vec!["one…l-x", "two…l-x"],
        ),
        (
            vec!["aaaaaaaaaaa1b", "aaaaaaaaaaa2b"],
            4,
            vec!["a…1b", "a…2b"],
        ),
    ];
    for (names, room, shown) in rows {
        assert_eq!(name_column("", names, room).1, shown);
    }
}

#[test]
fn text_from_right_to_left_is_isolated() {
    let rows = [
        ("plain → text", "plain → text"),
        ("דוד → سارة", "\u{2068}דוד\u{2069} → \u{2068}سارة\u{2069}"),
        ("50 דוד % 50", "50 \u{2068}דוד\u{2069} % 50"),
        ("בני ברק, 2", "\u{2068}בני ברק\u{2069}, 2"),
        ("דוד  x", "\u{2068}דוד\u{2069}  x"),
        ("דוד ", "\u{2068}דוד\u{2069} "),
    ];
    for (text, shown) in rows {
        assert_eq!(isolated(text), shown);
        assert_eq!(without_isolates(&isolated(text)), text);
    }
    let page = "<b title=\"דוד\">דוד</b> 5 דוד";
    let shown = "<b title=\"דוד\">\u{2068}דוד\u{2069}</b> 5 \u{2068}דוד\u{2069}";
    assert_eq!(isolated_html(page), shown);
    for (colour, shown) in [(true, "\u{2068}דוד\u{2069} 5\n"), (false, "דוד 5\n")] {
        let mut out = Outlet::new(Vec::new(), colour);
        out.write_all("דוד 5\n".as_bytes()).unwrap();
        assert_eq!(String::from_utf8(out.into_inner()).unwrap(), shown);
    }
}

#[test]
fn windows_1252_is_decoded_as_browsers_do() {
    let bytes: Vec<u8> = (0..=255).collect();
    let (expected, _, _) = encoding_rs::WINDOWS_1252.decode(&bytes);
    assert_eq!(decode_windows_1252(&bytes), expected);
}
