//! Many games: results one by one, in bounded memory, and an end even if a thread fails.

use crate::support::{run, words};

/// If the system gives no more threads, the program says so and ends with the code of a panic.
#[cfg(target_os = "linux")]
#[test]
fn no_more_threads_is_an_end_and_no_hang() {
    let program = assert_cmd::cargo::cargo_bin!("risk-cli");
    let line = format!(
        "ulimit -v 2000000; exec {} play --jobs 64 --games 300 --seed 1 --ruleset codelab",
        program.display()
    );
    let ran = std::process::Command::new("sh")
        .args(["-c", &line])
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(101), "{said}");
    assert!(said.lines().any(|line| line == "cli::threads"), "{said}");
    assert!(
        said.contains("64 threads") && said.contains("--jobs"),
        "{said}"
    );
}

#[test]
fn more_threads_than_are_of_use_are_refused() {
    let ran = run(&words("play --jobs 1024 --games 2 --seed 1"));
    let cores = std::thread::available_parallelism().unwrap().get();
    if cores < 1024 {
        ran.refuses(2, "cli::jobs");
        assert!(ran.err.contains("1024"), "{}", ran.err);
    }
}

#[test]
fn games_are_printed_as_lines() {
    let line = "play -r codelab -m grid:3x3 -o max_turns=20 -b random -b greedy -s 3 --games 40 --format jsonl";
    let ran = run(&words(&format!("{line} -j 1")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(run(&words(&format!("{line} -j 3"))).out, ran.out);
    let lines: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 41);
    assert_eq!(lines[0]["type"], "match");
    assert_eq!(lines[0]["bots"][1]["name"], "greedy");
    assert!(lines[0]["bots"][1]["hash"].is_string() && lines[0]["map_hash"].is_string());
    for (number, game) in lines[1..].iter().enumerate() {
        assert_eq!(game["game"], number);
        let seats = if number % 2 == 0 {
            ["random", "greedy"]
        } else {
            ["greedy", "random"]
        };
        assert_eq!(game["seats"], serde_json::json!(seats));
        let operations = &game["operations"][(number + 1) % 2];
        let answers = operations["answers"].as_array().unwrap();
        let all: u64 = answers.iter().map(|count| count.as_u64().unwrap()).sum();
        assert!(all > 0 && operations["all"].as_u64() >= operations["most"].as_u64());
        assert!(game["operations"][number % 2].is_null());
    }
    let one = run(&words(
        &line.replace("--games 40 --format jsonl", "--first 5 --format json"),
    ));
    let one: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!(one["digest"], lines[6]["digest"]);
    let refused = run(&words(&format!("{line} --record x")));
    assert_eq!(refused.code, 2);
}
