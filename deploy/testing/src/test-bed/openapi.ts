import { createRequire } from 'node:module';
import { createOpenApiDocument } from '@najwa/proto/http/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';

interface Operation {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: unknown }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Operation['responses'][string]> };
}

export interface ObservedAnswer {
  status: number;
  contentType: string | null;
  /** Parsed JSON. */
  body: unknown;
}

export interface OpenApiChecker {
  /**
   * Undocumented paths may only return errors.
   * @throws {Error} naming the violated part of the document
   */
  check(method: string, path: string, answer: ObservedAnswer): void;
  /** Such as `/api/messages/{id}`. */
  templateOf(path: string): string | undefined;
}

const DOCUMENT_ID = 'najwa:openapi';

const pointer = (...parts: string[]): string =>
  parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

export function createOpenApiChecker(): OpenApiChecker {
  const require = createRequire(import.meta.url);
  // The type of its default export depends on the reader's module resolution.
  const addFormats = require('ajv-formats') as FormatsPlugin;
  const document = createOpenApiDocument() as unknown as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, DOCUMENT_ID);

  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    parameters: template.split('{').length,
  }));
  // /api/messages/sent also matches /api/messages/{id}: fewer parameters first.
  templates.sort((a, b) => a.parameters - b.parameters);

  const validatorFor = (template: string, method: string, status: string): ValidateFunction | 'no content' => {
    const response = document.paths[template]?.[method]?.responses[status];
    if (response === undefined)
      throw new Error(`${method.toUpperCase()} ${template} is not documented to answer ${status}.`);
    const shared = response.$ref?.split('/').at(-1);
    const resolved = shared === undefined ? response : document.components.responses[shared];
    if (resolved?.content?.['application/json'] === undefined) return 'no content';
    const place =
      shared === undefined
        ? pointer('paths', template, method, 'responses', status)
        : pointer('components', 'responses', shared);
    const schema = `${DOCUMENT_ID}#/${place}/${pointer('content', 'application/json', 'schema')}`;
    return ajv.getSchema(schema) ?? ajv.compile({ $ref: schema });
  };

  const pathnameOf = (path: string): string => path.split('?')[0] ?? path;
  const templateOf = (path: string): string | undefined =>
    templates.find(({ pattern }) => pattern.test(pathnameOf(path)))?.template;

  return {
    templateOf,
    check(method, path, { status, contentType, body }) {
      const template = templateOf(path);
      const name = `${method} ${template ?? pathnameOf(path)}`;
      if (template === undefined || document.paths[template]?.[method.toLowerCase()] === undefined) {
        if (status < 400) throw new Error(`${name} is not documented, but returned ${status}.`);
        return;
      }
      const validate = validatorFor(template, method.toLowerCase(), String(status));
      if (validate === 'no content') return;
      if (!contentType?.startsWith('application/json'))
        throw new Error(`${name} returned ${status} as ${contentType ?? 'nothing'}, not as JSON.`);
      if (!validate(body))
        throw new Error(`${name} returned ${status} with an undocumented format: ${ajv.errorsText(validate.errors)}`);
    },
  };
}
