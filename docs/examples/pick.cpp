// A bot for every game: it plays random options. It needs no packages.
//
//     g++ -std=c++17 -O2 -o pick pick.cpp
//     risk-cli play --ruleset warzone --bot 'cmd:./pick' --bot random
#include <cstdint>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

// A JSON value. Numbers, true, false and null stay as written. Strings keep their escapes, since this bot only repeats
// them.
struct Json {
    enum class Kind { word, string, list, object };
    Kind kind = Kind::word;
    std::string text;
    std::vector<std::string> keys;  // keys of an object, in the order of its items
    std::vector<Json> items;

    const Json& operator[](const std::string& key) const {
        static const Json nothing;
        for (std::size_t i = 0; i < keys.size(); i++)
            if (keys[i] == key) return items[i];
        return nothing;
    }
    std::int64_t number() const { return std::stoll(text); }
    std::string written() const { return kind == Kind::string ? '"' + text + '"' : text; }
};

// Reads a line of JSON. Extra commas are ignored.
class Reader {
public:
    explicit Reader(const std::string& line) : line(line) {}

    Json value() {
        Json found;
        if (takes('{')) {
            found.kind = Json::Kind::object;
            for (; !takes('}'); takes(',')) {
                take('"');
                found.keys.push_back(string());
                take(':');
                found.items.push_back(value());
            }
        } else if (takes('[')) {
            found.kind = Json::Kind::list;
            for (; !takes(']'); takes(',')) found.items.push_back(value());
        } else if (takes('"')) {
            found.kind = Json::Kind::string;
            found.text = string();
        } else {
            found.text = until(line.find_first_of(",:]} \t\r", at));
            if (found.text.empty()) fail("a value");
        }
        return found;
    }

private:
    // Reads the rest of a string, after its opening quote.
    std::string string() {
        auto end = at;
        while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
        auto found = until(end);
        take('"');
        return found;
    }

    std::string until(std::size_t end) {
        auto found = line.substr(at, end - at);
        at += found.size();
        return found;
    }

    // Consumes this character if it comes next, after any blanks, and returns whether it did.
    bool takes(char wanted) {
        while (at < line.size() && std::string(" \t\r").find(line[at]) != std::string::npos) at++;
        bool here = at < line.size() && line[at] == wanted;
        if (here) at++;
        return here;
    }

    void take(char wanted) {
        if (!takes(wanted)) fail(std::string(1, wanted));
    }

    [[noreturn]] void fail(const std::string& missing) const {
        throw std::runtime_error("no JSON: " + missing + " is missing at " + std::to_string(at) + " of " + line);
    }

    const std::string& line;
    std::size_t at = 0;
};

class Bot {
public:
    void seed(std::int64_t number) { dice.seed(static_cast<std::uint64_t>(number)); }

    // Chooses a random option with random values, as JSON.
    std::string choose(const Json& options) {
        const Json& offer = any(options);
        auto action = "[" + offer["verb"].written();
        for (const Json& domain : offer["parameters"].items) action += ", " + pick(domain);
        return action + "]";
    }

private:
    // Picks a value of a parameter, from a list or from a range of integers.
    std::string pick(const Json& domain) {
        if (domain.kind == Json::Kind::list) return any(domain).written();
        return std::to_string(within(domain["min"].number(), domain["max"].number()));
    }

    const Json& any(const Json& list) {
        return list.items.at(within(0, static_cast<std::int64_t>(list.items.size()) - 1));
    }

    std::int64_t within(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(dice);
    }

    std::mt19937_64 dice;
};

int main() {
    Bot bot;
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = Reader(line).value();
        const std::string& type = message["type"].text;
        if (type == "hello") {
            std::cout << R"({"type": "hello", "protocol": 1, "name": "pick"})" << std::endl;
        } else if (type == "game") {
            bot.seed(message["seed"].number());  // the same seed gives the same choices
        } else if (type == "fault") {
            std::cerr << message["text"].text << std::endl;
        } else if (type == "ask") {
            const std::string action = bot.choose(message["options"]);
            std::cout << "{\"id\": " << message["id"].written() << ", \"do\": " << action << "}" << std::endl;
        } else if (type == "bye") {
            break;
        }
    }
}
