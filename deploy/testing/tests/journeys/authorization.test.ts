// Long run: every operation by every role.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestSystem, type TestSystem } from '@najwa/testing';
import { documentedOperations, ROWS, rolesOf, type Operation, type Row } from '../support/operations.js';
import {
  CALLERS,
  createCast,
  createWorld,
  everythingOf,
  type Caller,
  type Cast,
  type Person,
  type Thing,
  type World,
} from '../support/world.js';

let system: TestSystem;
let cast: Cast;
/** A recipient whose data must not change here. */
let kept: World;
let atFirst: unknown;
/** Another one, for calls that change data. */
let changed: World;

beforeAll(async () => {
  system = await startTestSystem();
  cast = await createCast(system);
  [kept, changed] = await Promise.all([createWorld(system, cast), createWorld(system, cast)]);
  atFirst = await everythingOf(system, kept);
});

afterAll(() => system.stop());

const callers = Object.keys(CALLERS) as Caller[];
const personOf = (caller: Caller, world: World): Person =>
  caller === 'recipient' ? world.recipient : cast.people[caller];

interface Cell {
  caller: Caller;
  thing: Thing;
  expected: number;
  changesNothing: boolean;
}

function cellsOf(id: keyof typeof ROWS): Cell[] {
  const roles = rolesOf(id);
  const { answers: all, isSilent } = ROWS[id];
  return Object.entries(all).flatMap(([thing, answers]) =>
    callers.map((caller) => {
      const role = CALLERS[caller];
      const isRefused = !roles.includes(role);
      const allowed = typeof answers === 'number' ? answers : (answers[caller] ?? answers.others);
      const expected = isRefused ? (role === 'visitor' ? 401 : 403) : allowed;
      const changesNothing = isRefused || expected >= 400 || (isSilent === true && caller !== 'recipient');
      return { caller, thing: thing as Thing, expected, changesNothing };
    }),
  );
}

/** Reads only the beginning of an answer: a stream has no end. */
async function statusOf(
  method: string,
  template: string,
  row: Row,
  world: World,
  { caller, thing }: Cell,
): Promise<number> {
  const person = personOf(caller, world);
  const form = new FormData();
  form.set('nothing', 'here');
  const body = row.body?.(world, thing, person);
  const response = await fetch(`${system.url}${row.path?.(world, thing) ?? template}`, {
    method,
    headers: {
      origin: system.url,
      'x-requested-with': 'XMLHttpRequest',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...person.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(row.isForm && { body: form }),
  });
  await response.body?.cancel();
  return response.status;
}

const nameOf = ({ caller, thing }: Cell): string => (thing === 'none' ? caller : `${caller}, ${thing}`);
const table = (cells: readonly Cell[], statusOfCell: (cell: Cell) => number): Record<string, number> =>
  Object.fromEntries(cells.map((cell) => [nameOf(cell), statusOfCell(cell)]));

/** Calls as a permitted caller, in a world that may change. */
async function statusOfSuccess({ id, method, path }: Operation, cell: Cell): Promise<number> {
  const row: Row = ROWS[id];
  // Reads find what no call has changed.
  const world = method === 'GET' ? kept : { ...changed, ...(await row.renew?.(changed, { system, cast })) };
  const status = await statusOf(method, path, row, world, cell);
  await row.takeBack?.(personOf(cell.caller, world), { system, cast });
  return status;
}

describe.each([...documentedOperations()])('%s', (_tag, operations) => {
  // Threat model: sender-10, visitor-1, visitor-6, moderator-2, gateway-16.
  test.each(operations)('$method $path ($id) matches the authorization table', async (operation) => {
    const { id, method, path } = operation;
    const row = ROWS[id];
    if ((row as Row | undefined) === undefined) throw new Error(`Add a row for ${id}: who may do what.`);
    const cells = cellsOf(id);
    const observed = new Map<Cell, number>();
    const refused = cells.filter(({ changesNothing }) => changesNothing);
    await Promise.all(refused.map(async (cell) => observed.set(cell, await statusOf(method, path, row, kept, cell))));
    for (const cell of cells.filter(({ changesNothing }) => !changesNothing))
      observed.set(cell, await statusOfSuccess(operation, cell));
    expect(table(cells, (cell) => observed.get(cell) ?? 0)).toEqual(table(cells, ({ expected }) => expected));
  });

  test('changes nothing for callers who may not', async () => {
    expect(await everythingOf(system, kept)).toEqual(atFirst);
  });
});
