//! The style and the tables of pages with results.

use std::collections::BTreeMap;

use risk_report::page::{Cell, STYLE, document, heads, table};

/// Returns the colours that a line of the style defines, by name.
fn colours(line: &str) -> BTreeMap<&str, &str> {
    let (_, body) = line.split_once("{").unwrap();
    let parts = body.split(';').filter_map(|part| part.split_once(':'));
    parts
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect()
}

/// Returns the light and the dark colours.
fn themes() -> [BTreeMap<&'static str, &'static str>; 2] {
    let roots = STYLE.lines().filter(|line| line.contains("--ink: "));
    let roots: Vec<_> = roots.map(|line| colours(line.trim())).collect();
    roots.try_into().unwrap()
}

/// Returns the relative luminance of `#rrggbb`, as WCAG 2 defines it.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(first: f64, second: f64) -> f64 {
    (first.max(second) + 0.05) / (first.min(second) + 0.05)
}

#[test]
fn text_has_contrast_in_light_and_dark() {
    for theme in themes() {
        for text in ["--ink", "--dim", "--mark", "--good", "--bad"] {
            for ground in ["--page", "--sheet"] {
                let found = contrast(luminance(theme[text]), luminance(theme[ground]));
                assert!(found >= 4.5, "{text} on {ground}: {found:.2}");
            }
        }
        // The darkest cell of a table of shares.
        let mix = |at: usize| {
            let part = |name| u8::from_str_radix(&theme[name][at..at + 2], 16).unwrap();
            u8::midpoint(part("--mark"), part("--page"))
        };
        let heat = format!("#{:02x}{:02x}{:02x}", mix(1), mix(3), mix(5));
        let found = contrast(luminance(theme["--ink"]), luminance(&heat));
        assert!(found >= 4.5, "{heat}: {found:.2}");
    }
}

#[test]
fn each_colour_is_written_once() {
    let [light, dark] = themes();
    assert!(light.keys().eq(dark.keys()), "{light:?} {dark:?}");
    let mut values: Vec<&str> = light.values().chain(dark.values()).copied().collect();
    assert_eq!(STYLE.matches('#').count(), values.len());
    for function in ["rgb(", "rgba(", "hsl("] {
        assert!(!STYLE.contains(function), "{function}");
    }
    let count = values.len();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values.len(), count);
}

#[test]
fn texts_stay_texts() {
    let name = "<i>&\"x\u{202e}\u{1b}";
    let rows = [vec![
        Cell::from(name),
        Cell::words(name),
        Cell::from("1").heat(0.5),
    ]];
    let page = document(name, &table(name, &heads(&[name, "b", "c"]), &rows));
    assert!(!page.contains("<i>") && !page.contains(['\u{202e}', '\u{1b}']));
    let escaped = "&lt;i&gt;&amp;&quot;x\\u{202e}\\u{1b}";
    // The title, the caption twice, a head and two cells.
    assert_eq!(page.matches(escaped).count(), 6, "{page}");
    assert_eq!(page.matches("<th scope=\"row\">").count(), 1);
    assert_eq!(page.matches("<th scope=\"col\">").count(), 3);
    assert!(page.contains("<td style=\"--heat:50%\">1</td>"), "{page}");
}
