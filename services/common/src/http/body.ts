import { createHash } from 'node:crypto';
import { UploadedImage } from '@najwa/proto/http';
import { LIMITS, type Route, type RouteBody } from '@najwa/proto/http/client';
import type { Request } from 'express';
import { z } from 'zod';
import { AppError } from '../errors/errors.js';
import { readForm, type Form } from './form.js';
import { readChunks } from './chunks.js';
import { imageTooLarge, JsonReader } from './json-reader.js';

type PictureBody = Extract<RouteBody, { kind: 'picture' }>;

export function refuseByHeaders(request: Request, { body }: Pick<Route, 'body'>): void {
  if (body.kind === 'none') return;
  if (Number(request.headers['content-length'] ?? 0) > body.maxBytes)
    throw new AppError({ code: 'payload_too_large', message: 'The request is larger than this call accepts.' });
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new AppError({ code: 'unsupported_media_type', message: 'Compressed bodies are not accepted.' });
}

/**
 * Reads JSON or a form with a picture, which becomes an `UploadedImage` under its JSON field name, else its part name.
 * @param schema says which form fields are numbers
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`, `malformed`, `unsupported_image`, `image_too_large`
 */
export async function readBody(
  request: Request,
  body: Exclude<RouteBody, { kind: 'none' | 'form' }>,
  schema: z.ZodType,
): Promise<unknown> {
  if (body.kind === 'json') return readJson(request);
  if (body.kind === 'picture' && request.is('multipart/form-data')) return readPictureForm(request, body, schema);
  const { field, maxBytes } = body.kind === 'message' ? body.picture : body.file;
  if (field === null)
    throw new AppError({ code: 'unsupported_media_type', message: 'The body must be a multipart form.' });
  return readJson(request, { field, maxBytes });
}

async function readJson(request: Request, picture?: { field: string; maxBytes: number }): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1];
  if (!request.is('application/json') || (charset !== undefined && !/^utf-?8$/i.test(charset)))
    throw new AppError({ code: 'unsupported_media_type', message: 'The body must be JSON in UTF-8.' });
  const reader = new JsonReader({ maxBytes: LIMITS.jsonBytes, picture });
  for await (const chunk of readChunks(request)) reader.write(chunk);
  return reader.finish();
}

async function readPictureForm(request: Request, { file: part }: PictureBody, schema: z.ZodType): Promise<unknown> {
  const name = part.field ?? part.part;
  const form = readForm(request, {
    file: part.part,
    mayBeText: part.part === part.field,
    // Slightly larger files are refused as pictures, not as bodies.
    maxBytes: 2 * part.maxBytes,
  });
  const file = await receivePicture(form, part.part, part.maxBytes);
  const typed = Object.entries(form.fields()).map(([field, text]) => [
    field,
    isNumber(schema, field) ? numberOf(text) : text,
  ]);
  const body = Object.fromEntries(typed) as Record<string, unknown>;
  if (file && name in body) throw new AppError({ code: 'malformed', message: 'The form contains two pictures.' });
  return file ? { ...body, [name]: file } : body;
}

/**
 * Reads a form to its end. Undefined without a picture.
 * @param part name of the picture
 * @throws {AppError} `image_too_large`, and the errors of `readForm`
 */
export async function receivePicture(form: Form, part: string, maxBytes: number): Promise<UploadedImage | undefined> {
  const hash = createHash('sha256');
  const received: Buffer[] = [];
  let size = 0;
  for await (const piece of form) {
    size += piece.length;
    if (size > maxBytes) throw imageTooLarge(part, maxBytes);
    hash.update(piece);
    received.push(piece);
  }
  return received.length === 0 ? undefined : new UploadedImage(Buffer.concat(received), hash.digest('base64url'));
}

const isNumber = (schema: z.ZodType, field: string): boolean =>
  schema instanceof z.ZodObject && (schema.shape as Record<string, unknown>)[field] instanceof z.ZodNumber;

const numberOf = (text: string): number | string => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text);
