// The page of a person or an onlooker at a table of `play --web`.

import { begin } from "#arena/play";
import { server } from "#arena/server";

addEventListener("hashchange", () => location.reload());
await begin(server);
