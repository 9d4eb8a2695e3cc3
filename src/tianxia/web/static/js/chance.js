// Checks the chance of a finished game: thirty lines of arithmetic, and reading a transcript.
// What a draw follows from is described in the module `tianxia.tables.chance`; nothing here
// belongs to a page.

const CHUNK = 8; // bytes of a digest that are one number
const RANGE = 1n << 64n;

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** JSON in ASCII, as the server writes it. */
const ascii = (value) => JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const canCheck = () => Boolean(globalThis.isSecureContext && globalThis.crypto?.subtle);

/** The SHA-256 of a secret, both in hexadecimal. */
async function sealOf(secret) {
  return hexOf(await crypto.subtle.digest("SHA-256", bytesOf(secret)));
}

/** Read a transcript: the lines of its header by name, and the actions, each with its actor. */
export function read(text) {
  const lines = text.split("\n");
  const blank = lines.indexOf("");
  const split = (line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()];
  const header = Object.fromEntries(lines.slice(1, blank).map(split));
  const actions = lines.slice(blank).flatMap((line) => {
    const [actor, ...tokens] = line.split(" ").filter(Boolean);
    return tokens.map((token) => ({ actor, token }));
  });
  return { header, actions };
}

/** The dice of one table: its secret, and what else every draw follows from. */
export class Dice {
  constructor(key, table, seeds) {
    this.key = key;
    this.table = table;
    this.seeds = seeds;
  }

  static async of(table, secret, seeds) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    return new Dice(await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign"]), table, seeds);
  }

  /** A number below `total`, each as likely as the others; `number` counts draws from 1. */
  async ticket(total, number) {
    const limit = RANGE - (RANGE % total);
    for (let block = 0; ; block++) {
      const message = new TextEncoder().encode(ascii([this.table, number, block, this.seeds]));
      const digest = new DataView(await crypto.subtle.sign("HMAC", this.key, message));
      for (let begin = 0; begin < digest.byteLength; begin += CHUNK) {
        const chunk = digest.getBigUint64(begin);
        if (chunk < limit) return chunk % total;
      }
    }
  }

  /** Which of some outcomes, [token, weight], is drawn. */
  async draw(outcomes, number) {
    const weights = outcomes.map(([, weight]) => BigInt(weight));
    let ticket = await this.ticket(weights.reduce((sum, weight) => sum + weight, 0n), number);
    return outcomes.find((_, place) => (ticket -= weights[place]) < 0n);
  }
}

const UNKNOWN = {}; // in the place of dice: a guide has decided

/** The dice of the games from which the first actions come, where a game goes on from another. */
function origins(header, problems) {
  return Promise.all(JSON.parse(header["chance-before"] || "[]").map(async ({ table, actions, hash, secret, seeds }) => {
    if (secret && (await sealOf(secret)) !== hash) problems.push({ kind: "source", table });
    return { actions, dice: secret ? await Dice.of(table, secret, seeds) : UNKNOWN };
  }));
}

/**
 * Check a transcript against the seal, and every draw of it against the secret.
 *
 * `chance` is what the server says of the actions of chance: `{table, actions: [{ply, token,
 * outcomes: [[token, weight], …]}]}`; `seal` what this browser was shown first, `own` the seal and the seed
 * that it has kept, if it plays here. Returns
 * `{draws, steps, problems}`; a problem is `{kind, …}`.
 */
export async function check(text, chance, seal, own = null) {
  const { header, actions } = read(text);
  const problems = [];
  const secret = header["chance-secret"] ?? "";
  if (header.table !== chance.table) problems.push({ kind: "other_table" });
  const seeds = JSON.parse(header["chance-seeds"] ?? "[]");
  if (own && !seeds.includes(own.seed)) problems.push({ kind: "no_seed" });
  for (const seat of JSON.parse(header["chance-people"] ?? "[]")) if (!seeds[seat]) problems.push({ kind: "unseeded", seat: seat + 1 });
  if (own?.seal && own.seal !== header["chance-hash"]) problems.push({ kind: "other_seal" });
  else if (header["chance-hash"] !== seal) problems.push({ kind: "other_seal" });
  if ((await sealOf(secret)) !== seal) problems.push({ kind: "not_sealed" });
  const mine = await Dice.of(header.table, secret || "00", seeds);
  const before = await origins(header, problems);
  const possible = new Map(chance.actions.map((action) => [action.ply, action]));
  const draws = [];
  let [steps, draw] = [0, 0];
  for (const [place, { actor, token }] of actions.entries()) {
    if (actor !== "*") continue;
    const [action, taken] = [place + 1, token];
    const outcomes = possible.get(action)?.outcomes ?? [];
    if (!outcomes.length) {
      problems.push({ kind: "missing", action, taken });
    } else if (outcomes.length === 1) {
      steps += 1;
      if (outcomes[0][0] !== token) problems.push({ kind: "step", action, taken, right: outcomes[0][0] });
    } else {
      draw += 1;
      const dice = before.find(({ actions }) => action <= actions)?.dice ?? mine;
      if (dice === UNKNOWN) continue;
      const [right] = await dice.draw(outcomes, draw);
      const weight = BigInt(outcomes.find(([name]) => name === token)?.[1] ?? 0);
      const total = outcomes.reduce((sum, [, one]) => sum + BigInt(one), 0n);
      draws.push({ draw, action, taken, right, weight, total });
      if (right !== taken) problems.push({ kind: "draw", draw, action, taken, right });
    }
  }
  return { draws, steps, problems };
}
