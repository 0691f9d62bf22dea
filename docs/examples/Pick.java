import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.*;
import java.util.*;
import java.util.stream.Collectors;

/**
 * A bot for every game: it plays random options. It needs Java 17 or later, and no packages.
 *
 * <pre>
 *     javac Pick.java
 *     risk-cli play --ruleset warzone --bot 'cmd:java Pick' --bot random
 * </pre>
 */
public final class Pick {
    private final Random dice = new Random(1);

    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        var out = new PrintStream(System.out, true, UTF_8);
        var bot = new Pick();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            var message = (Map<?, ?>) new Json(line).value();
            switch (String.valueOf(message.get("type"))) {
                case "hello" -> out.println("{\"type\": \"hello\", \"protocol\": 1, \"name\": \"pick\"}");
                case "game" -> bot.dice.setSeed(whole(message.get("seed"))); // the same seed gives the same choices
                case "fault" -> System.err.println(message.get("text"));
                case "ask" -> {
                    String action = bot.choose((List<?>) message.get("options"));
                    out.println("{\"id\": " + message.get("id") + ", \"do\": " + action + "}");
                }
                case "bye" -> {
                    return;
                }
            }
        }
    }

    /** Chooses a random option with random values, as JSON. */
    private String choose(List<?> options) {
        var offer = (Map<?, ?>) any(options);
        var action = new ArrayList<Object>();
        action.add(offer.get("verb"));
        ((List<?>) offer.get("parameters")).forEach(domain -> action.add(pick(domain)));
        return action.stream().map(Json::written).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Picks a value of a parameter, from a list or from a range of integers. */
    private Object pick(Object domain) {
        if (domain instanceof List<?> list) {
            return any(list);
        }
        var span = (Map<?, ?>) domain;
        return dice.nextLong(whole(span.get("min")), whole(span.get("max")) + 1);
    }

    private Object any(List<?> list) {
        return list.get(dice.nextInt(list.size()));
    }

    private static long whole(Object number) {
        return ((Number) number).longValue();
    }

    /**
     * Reads a line of JSON as Map, List, String, Long or Double, Boolean and null. Strings keep their escapes, since
     * this bot only repeats them. Extra commas are ignored.
     */
    private static final class Json {
        private final String line;
        private int at;

        Json(String line) {
            this.line = line;
        }

        Object value() {
            if (takes('{')) {
                var object = new HashMap<String, Object>();
                for (; !takes('}'); takes(',')) {
                    take('"');
                    String key = string();
                    take(':');
                    object.put(key, value());
                }
                return object;
            }
            if (takes('[')) {
                var list = new ArrayList<Object>();
                for (; !takes(']'); takes(',')) {
                    list.add(value());
                }
                return list;
            }
            return takes('"') ? string() : word();
        }

        /** Reads the rest of a string, after its opening quote. */
        private String string() {
            int from = at;
            while (line.charAt(at) != '"') {
                at += line.charAt(at) == '\\' ? 2 : 1;
            }
            return line.substring(from, at++);
        }

        /** Reads a number, true, false or null. */
        private Object word() {
            int from = at;
            while (at < line.length() && ",:]} \t\r".indexOf(line.charAt(at)) < 0) {
                at++;
            }
            String word = line.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> Boolean.valueOf(word);
                default -> word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
            };
        }

        /** Consumes this character if it comes next, after any blanks, and returns whether it did. */
        private boolean takes(char wanted) {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            boolean here = at < line.length() && line.charAt(at) == wanted;
            at += here ? 1 : 0;
            return here;
        }

        private void take(char wanted) {
            if (!takes(wanted)) {
                throw new IllegalArgumentException(wanted + " is missing at " + at + " of " + line);
            }
        }

        static String written(Object value) {
            return value instanceof String word ? '"' + word + '"' : String.valueOf(value);
        }
    }
}
