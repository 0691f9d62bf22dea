// A bot for the callback arena for Node. It needs no packages, and speaks the dialect `snow`.
//
//     risk-cli serve --protocol callback --secret-file secret
//     node callback.mjs 4445 bob http://127.0.0.1:8080
//     curl -d "{\"secretCode\": \"$(cat secret)\"}" http://127.0.0.1:8080/startgame
import { createServer } from "node:http";

const [port, me, arena] = process.argv.slice(2);

// On a grid a cell has eight neighbours; on other maps each cell lists its own.
const near = (a, b) => a.neighbours
  ? a.neighbours.includes(b.location)
  : Math.max(Math.abs(a.location.row - b.location.row), Math.abs(a.location.column - b.location.column)) === 1;
const mine = (cell) => cell.ownerName === me;
const least = (cells, value) => cells.reduce((best, cell) => (value(cell) < value(best) ? cell : best));

function place(board) {
  const free = board.filter((cell) => cell.ownerName === null);
  const own = board.filter(mine);
  const front = own.filter((cell) => board.some((to) => !mine(to) && near(cell, to)));
  const among = [free, front, own].find((cells) => cells.length);
  return { desiredLocation: least(among, (cell) => cell.armies).location };
}

function attack(board) {
  const pairs = board
    .filter((cell) => mine(cell) && cell.armies > 1)
    .flatMap((from) => board.filter((to) => !mine(to) && near(from, to)).map((to) => ({ from, to })));
  const { from, to } = least(pairs, (pair) => pair.to.armies - pair.from.armies);
  return { from: from.location, to: to.location };
}

function decide(path, said) {
  switch (path) {
    case "/deployArmy": return place(said.board);
    case "/beginAttack": return attack(said.board);
    case "/continueAttacking":
      return { continueAttacking: said.attackingTerritorry.armies > said.defendingTerritorry.armies };
    case "/gameOver": console.log(`${said.winnerName} wins: ${said.finalScores.join(", ")}`);
  }
  return {};
}

createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () =>
    response.end(request.url === "/areYouThere" ? "yes" : JSON.stringify(decide(request.url, JSON.parse(body || "{}")))));
}).listen(Number(port), "127.0.0.1", async () => {
  const own = { name: me, callbackBaseAddress: `http://127.0.0.1:${port}` };
  const answer = await fetch(`${arena}/join`, { method: "POST", body: JSON.stringify(own) });
  if (!answer.ok) throw new Error(await answer.text());
});
