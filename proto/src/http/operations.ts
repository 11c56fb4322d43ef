import type { z } from 'zod';
import { accessOperations } from './access.js';
import { accountOperations } from './accounts.js';
import { adminOperations } from './admin.js';
import { chatOperations, mediaOperations } from './media.js';
import { messageOperations } from './messages.js';
import { notificationOperations } from './notifications.js';
import { exportOperations } from './exports.js';
import type { OperationSpec } from './operation.js';
import { pushOperations } from './push.js';
import { promptOperations } from './prompts.js';
import { receivingOperations } from './receiving.js';
import type { OperationId, Routes } from './routes.js';
import { reportOperations } from './reports.js';
import { safetyOperations } from './safety.js';
import { wayBackOperations } from './ways-back.js';

/** ROUTES has path, roles and kind of body. */
export const OPERATIONS = {
  ...accountOperations,
  ...accessOperations,
  ...receivingOperations,
  ...promptOperations,
  ...messageOperations,
  ...wayBackOperations,
  ...safetyOperations,
  ...exportOperations,
  ...reportOperations,
  ...notificationOperations,
  ...pushOperations,
  ...mediaOperations,
  ...chatOperations,
  ...adminOperations,
} satisfies Record<OperationId, OperationSpec>;

type Operations = typeof OPERATIONS;

type SchemaOf<Id extends OperationId, Part extends 'params' | 'query' | 'body' | 'form'> =
  Operations[Id] extends Record<Part, infer Schema extends z.ZodType> ? Schema : never;

type Output<Schema> = [Schema] extends [never] ? undefined : Schema extends z.ZodType ? z.output<Schema> : never;

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** For clients: parsed values, with optional defaults. */
type Given<Schema> = [Schema] extends [never]
  ? undefined
  : Schema extends z.ZodType
    ? Omit<z.output<Schema>, OptionalKeys<z.input<Schema>> & keyof z.output<Schema>> &
        Partial<Pick<z.output<Schema>, OptionalKeys<z.input<Schema>> & keyof z.output<Schema>>>
    : never;

/** For handlers. Undefined if the operation has none. */
export type Params<Id extends OperationId> = Output<SchemaOf<Id, 'params'>>;
export type Query<Id extends OperationId> = Output<SchemaOf<Id, 'query'>>;
export type ParsedBody<Id extends OperationId> = Output<SchemaOf<Id, 'body'>>;
export type ParsedForm<Id extends OperationId> = Output<
  SchemaOf<Id, [SchemaOf<Id, 'form'>] extends [never] ? 'body' : 'form'>
>;

/** For clients. */
export type GivenParams<Id extends OperationId> = Given<SchemaOf<Id, 'params'>>;
export type GivenQuery<Id extends OperationId> = Given<SchemaOf<Id, 'query'>>;

type BodyKind<Id extends OperationId> = Routes[Id]['body'];

/** A data URL in the JSON field, or a Blob under the part name. */
type PictureBody<Given, File> = File extends { part: infer Part extends string; field: infer Field }
  ? (Field extends string ? Given : never) | (Omit<Given, Field extends string ? Field : Part> & Record<Part, Blob>)
  : never;

/** As sent by a client. */
export type Body<Id extends OperationId> = [SchemaOf<Id, 'body'>] extends [never]
  ? undefined
  : BodyKind<Id> extends { kind: 'form'; file: { part: infer Part extends string } }
    ? Given<SchemaOf<Id, 'body'>> & Record<Part, Blob>
    : BodyKind<Id> extends { kind: 'picture'; file: infer File }
      ? PictureBody<z.input<SchemaOf<Id, 'body'>>, File>
      : BodyKind<Id> extends { kind: 'message'; file: { part: infer Part extends string } }
        ? z.input<SchemaOf<Id, 'body'>> | (Given<SchemaOf<Id, 'form'>> & Record<Part, Blob>)
        : z.input<SchemaOf<Id, 'body'>>;

/** Undefined if empty or a file. */
export type Answer<Id extends OperationId> = Operations[Id]['answer'] extends {
  body: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** Every allowed role has an account. */
export type RequiresSession<Id extends OperationId> = 'visitor' extends Routes[Id]['roles'][number] ? false : true;
