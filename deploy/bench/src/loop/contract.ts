import type { Role } from '@najwa/proto/http/client';
import { createOpenApiDocument } from '@najwa/proto/http/openapi';
import { searchOf, textOf } from './texts.js';

/** The part in use. */
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  maxItems?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  description?: string;
  contentMediaType?: string;
}

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  schema?: Schema;
}

interface Document {
  paths: Record<string, Record<string, Specified>>;
  components: { schemas: Record<string, Schema> };
}

interface Specified {
  operationId: string;
  'x-najwa-roles'?: Role[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  roles: readonly Role[];
  parameters: readonly Parameter[];
  /** By type. */
  bodies: ReadonlyMap<string, Schema>;
}

/** Existing things by name in the contract. Undefined if any value will do. */
export type KnownValues = (name: string) => unknown;

export interface Filling {
  unit: string;
  /** Of the longest text. */
  share: number;
  /** Selects among listed values. */
  choice: number;
  known: KnownValues;
}

const ANY_LENGTH = 2_000;
const MANY = 100;

const document = createOpenApiDocument() as unknown as Document;

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, specified]) => ({
    id: specified.operationId,
    method: method.toUpperCase(),
    path,
    roles: specified['x-najwa-roles'] ?? ['visitor', 'user', 'moderator', 'admin'],
    parameters: specified.parameters ?? [],
    bodies: new Map(Object.entries(specified.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema])),
  })),
);

const resolve = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : { ...document.components.schemas[name], ...schema };
};

/** In characters, if the contract limits them. */
const lengthOf = ({ description = '', maxLength }: Schema): number =>
  Number(/(\d+) characters/.exec(description.replace(/At least \d+ characters/, ''))?.[1] ?? maxLength ?? ANY_LENGTH);

/** The most expensive value. */
export function fill(given: Schema, name: string, filling: Filling, index = 0): unknown {
  const schema = resolve(given);
  const value = schema.type === 'array' ? undefined : filling.known(name);
  if (value !== undefined) return value;
  if (schema.anyOf) return fill(schema.anyOf[0] ?? {}, name, filling, index);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[(filling.choice + index) % schema.enum.length];
  if (schema.type === 'array') {
    const { items = {}, maxItems = MANY } = schema;
    return Array.from({ length: maxItems }, (_, item) => fill(items, name, filling, item));
  }
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, property]) => [key, fill(property, key, filling)]),
    );
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return schema.maximum ?? 1;
  const characters = Math.max(1, Math.floor(lengthOf(schema) * filling.share));
  if (schema.pattern !== undefined) return 'A'.repeat(characters);
  // Words of a list must differ.
  return schema.items === undefined && index > 0
    ? `${index} ${textOf(filling.unit, Math.max(1, characters - 3))}`
    : textOf(filling.unit, characters);
}

/** Path and query. */
export function targetOf({ path, parameters }: Operation, filling: Filling): string {
  const query = new URLSearchParams();
  for (const { name, in: place, schema = {} } of parameters) {
    if (name === undefined || place !== 'query') continue;
    if (name === 'q' || name === 'text') query.set(name, searchOf(filling.unit, Math.floor(100 * filling.share)));
    else if (schema.enum) query.set(name, String(schema.enum[filling.choice % schema.enum.length]));
    else if (name === 'limit' || name === 'size') query.set(name, String(schema.maximum ?? 1));
    else if (name === 'ids' && filling.choice % 2 === 1) query.set(name, String(filling.known('ids in a row')));
  }
  const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) =>
    String((filling.known(name) as number | string | undefined) ?? 1),
  );
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

export const hasTexts = ({ bodies, parameters }: Operation): boolean =>
  bodies.size > 0 || parameters.some(({ name }) => name === 'q' || name === 'text');

/** Length of the longest enumeration in parameters and bodies. */
export const choicesOf = ({ parameters, bodies }: Operation): number =>
  Math.max(
    1,
    ...parameters.map(({ schema, name }) => schema?.enum?.length ?? (name === 'ids' ? 2 : 1)),
    ...[...bodies.values()].flatMap((body) =>
      Object.values(resolve(body).properties ?? {}).map((property) => resolve(property).enum?.length ?? 1),
    ),
  );
