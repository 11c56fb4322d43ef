/** Renders the contract as one HTML page without scripts, when the client is built. */

import { ICON_LINKS } from './manifest.js';

/** @typedef {Record<string, any>} Json */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const escape = (/** @type {unknown} */ text) =>
  String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const inline = (/** @type {string} */ text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const nameOf = (/** @type {string} */ reference) => reference.split('/').at(-1) ?? '';

const schemaLink = (/** @type {string} */ name) => `<a href="#schema-${escape(name)}">${escape(name)}</a>`;

function limitsOf(/** @type {Json} */ schema) {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, format } = schema;
  const between = (/** @type {unknown} */ least, /** @type {unknown} */ most, /** @type {string} */ unit) =>
    least === undefined && most === undefined ? [] : [`${least ?? ''}…${most ?? ''}${unit}`];
  return [
    ...(format === undefined ? [] : [format]),
    ...between(minLength, maxLength, ' characters'),
    ...between(minimum, maximum, ''),
    ...between(minItems, maxItems, ' entries'),
    ...(pattern === undefined ? [] : [`<code>${escape(pattern)}</code>`]),
  ].join(', ');
}

/** @type {(schema: Json | undefined) => string} the type of a value in one line */
function typeOf(schema) {
  if (schema === undefined) return 'anything';
  if (schema.$ref !== undefined) return schemaLink(nameOf(schema.$ref));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined)
    return schema.enum
      .map((/** @type {unknown} */ value) => `<code>${escape(JSON.stringify(value))}</code>`)
      .join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? 'anything'].flat().join(' or ');
  const limits = limitsOf(schema);
  return limits === '' ? type : `${type} <small>(${limits})</small>`;
}

/** An inline object, such as the entries of a list. Undefined if it is shared or has no fields. */
function objectIn(/** @type {Json | undefined} */ schema) {
  if (schema === undefined || schema.$ref !== undefined) return undefined;
  if (schema.type === 'array') return objectIn(schema.items);
  return schema.properties === undefined ? undefined : schema;
}

/** @type {(schema: Json) => string} */
function fields({ properties, required = [] }) {
  const rows = Object.entries(properties).map(([name, field]) => {
    const nested = objectIn(field);
    const note = field.description === undefined ? '' : `<p>${inline(field.description)}</p>`;
    const isOptional = !required.includes(name);
    return `<dt><code>${escape(name)}</code> ${isOptional ? '<small>optional</small>' : ''}</dt>
      <dd><span>${typeOf(field)}</span>${note}${nested === undefined ? '' : fields(nested)}</dd>`;
  });
  return `<dl class="fields">${rows.join('')}</dl>`;
}

function body(/** @type {Json | undefined} */ schema) {
  const object = objectIn(schema);
  return `<span>${typeOf(schema)}</span>${object === undefined ? '' : fields(object)}`;
}

const codesOf = (/** @type {Json} */ answer) => answer.content?.['application/json']?.schema;

/** @param {Json} document */
function describeCalls(document) {
  const { components } = document;
  const resolve = (/** @type {Json} */ part, /** @type {string} */ kind) =>
    part.$ref === undefined ? part : components[kind][nameOf(part.$ref)];

  const parameters = (/** @type {Json[]} */ given) => {
    const rows = given.map((each) => {
      const parameter = resolve(each, 'parameters');
      const note = parameter.description === undefined ? '' : `<p>${inline(parameter.description)}</p>`;
      return `<dt><code>${escape(parameter.name)}</code> <small>${parameter.in}${parameter.required ? '' : ', optional'}</small></dt>
        <dd><span>${typeOf(parameter.schema)}</span>${note}</dd>`;
    });
    return rows.length === 0 ? '' : `<h4>Parameters</h4><dl class="fields">${rows.join('')}</dl>`;
  };

  const request = (/** @type {Json | undefined} */ given) => {
    if (given === undefined) return '';
    const parts = Object.entries(given.content).map(
      ([type, { schema }]) => `<dt><code>${escape(type)}</code></dt><dd>${body(schema)}</dd>`,
    );
    return `<h4>Body</h4><dl class="fields">${parts.join('')}</dl>`;
  };

  const answers = (/** @type {Json} */ responses) => {
    const rows = Object.entries(responses).map(([status, each]) => {
      const answer = resolve(each, 'responses');
      const content = Number(status) < 300 ? Object.entries(answer.content ?? {}) : [];
      const bodies = content.map(([type, { schema }]) =>
        schema === undefined ? `<code>${escape(type)}</code>` : body(schema),
      );
      const headers = Object.keys(answer.headers ?? {}).map((name) => `<code>${escape(name)}</code>`);
      return `<dt><code>${status}</code></dt>
        <dd><span>${inline(answer.description)}</span>${bodies.map((text) => `<div>${text}</div>`).join('')}
        ${headers.length === 0 || codesOf(answer)?.$ref?.endsWith('/Error') ? '' : `<p>Headers: ${headers.join(', ')}</p>`}</dd>`;
    });
    return `<h4>Answers</h4><dl class="fields">${rows.join('')}</dl>`;
  };

  return (/** @type {string} */ address, /** @type {string} */ method, /** @type {Json} */ operation) => `
    <article id="${escape(operation.operationId)}">
      <h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escape(address)}</code></h3>
      <p>${inline(operation.summary)}${operation.description === undefined ? '' : `. ${inline(operation.description)}`}</p>
      <p class="roles">For: ${operation['x-najwa-roles'].map(escape).join(', ')}</p>
      ${parameters(operation.parameters ?? [])}${request(operation.requestBody)}${answers(operation.responses)}
    </article>`;
}

/** @param {Json} document @returns {string} content of the body element */
function render(document) {
  const describe = describeCalls(document);
  const calls = Object.entries(document.paths).flatMap(([address, methods]) =>
    METHODS.filter((method) => method in methods).map((method) => ({ address, method, operation: methods[method] })),
  );
  const groups = document.tags.map((/** @type {Json} */ tag) => ({
    ...tag,
    calls: calls.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const links = groups.map(
    (/** @type {Json} */ { name, calls: own }) =>
      `<li><a href="#tag-${name}">${name}</a><ul>${own
        .map(
          (/** @type {Json} */ { address, method, operation }) =>
            `<li><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span> ${escape(address.replace(/^\/api/, ''))}</a></li>`,
        )
        .join('')}</ul></li>`,
  );
  const sections = groups.map(
    (/** @type {Json} */ { name, description, calls: own }) => `
    <section id="tag-${name}">
      <h2>${name}</h2>
      <p>${inline(description)}</p>
      ${own.map((/** @type {Json} */ { address, method, operation }) => describe(address, method, operation)).join('')}
    </section>`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `
    <article id="schema-${escape(name)}">
      <h3><code>${escape(name)}</code></h3>
      ${schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`}
      ${body(schema)}
    </article>`,
  );
  const rules = document.info.description
    .split(/^- /m)
    .slice(1)
    .map((/** @type {string} */ rule) => `<li>${inline(rule.trim())}</li>`);
  return `
  <header><a href="/">Najwa</a><span>API ${escape(document.info.version)}</span></header>
  <div class="columns">
    <nav aria-label="Calls"><ul>${links.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
    <main>
      <h1>The API of Najwa</h1>
      <p>${inline(document.info.summary)}</p>
      <ul class="rules">${rules.join('')}</ul>
      ${sections.join('')}
      <section id="schemas"><h2>Schemas</h2>${schemas.join('')}</section>
    </main>
  </div>`;
}

const STYLES = `
  body > header { display: flex; gap: 16px; align-items: baseline; padding: 20px var(--gutter); border-block-end: 1px solid var(--line); }
  body > header a { font-weight: 800; font-size: 1.375rem; }
  body > header span { color: var(--ink-2); }
  .columns { display: grid; grid-template-columns: 300px minmax(0, 1fr); gap: 48px; padding: 0 var(--gutter) 96px; max-inline-size: 1280px; margin-inline: auto; }
  nav { position: sticky; inset-block-start: 0; max-block-size: 100vh; overflow: auto; padding-block: 24px; font-size: 0.8125rem; }
  nav ul ul { margin-block: 4px 16px; }
  nav > ul > li > a { font-weight: 700; font-size: 0.9375rem; }
  nav a { display: block; padding-block: 4px; overflow-wrap: anywhere; }
  nav a:hover { text-decoration: underline; }
  main { padding-block: 32px; }
  main > * + * { margin-block-start: 16px; }
  main section { padding-block-start: 32px; }
  main a { color: var(--violet-text); text-decoration: underline; text-underline-offset: 3px; }
  h1 { font-size: 2.25rem; }
  h2 { font-size: 1.625rem; }
  h3 { font-size: 1.0625rem; overflow-wrap: anywhere; }
  h4 { font-size: 0.875rem; color: var(--ink-2); margin-block-start: 14px; }
  code { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.9em; overflow-wrap: anywhere; }
  small { color: var(--ink-2); font-size: 0.8125rem; }
  article { margin-block-start: 20px; padding: 20px 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 20px; border-end-start-radius: 6px; scroll-margin-block-start: 16px; }
  article > p { margin-block-start: 6px; }
  .roles { color: var(--ink-2); font-size: 0.875rem; }
  .rules { display: grid; gap: 8px; list-style: disc; padding-inline-start: 20px; }
  .method { display: inline-block; min-inline-size: 3.6em; font: 700 0.75rem/1.6 ui-monospace, monospace; color: var(--violet-text); }
  .method.delete { color: var(--danger-text, var(--ink)); }
  .fields { display: grid; grid-template-columns: minmax(0, 14rem) minmax(0, 1fr); gap: 6px 20px; margin-block-start: 6px; font-size: 0.9375rem; }
  .fields > dt, .fields > dd { padding-block-start: 6px; border-block-start: 1px solid var(--line); }
  .fields .fields { font-size: 0.875rem; }
  dd p { color: var(--ink-2); }
  @media (max-width: 960px) {
    .columns { grid-template-columns: minmax(0, 1fr); gap: 0; }
    nav { position: static; max-block-size: 40vh; border-block-end: 1px solid var(--line); }
    .fields { grid-template-columns: minmax(0, 1fr); gap: 0; }
    .fields > dd { border: 0; padding-block: 0 6px; }
  }`;

/**
 * English only, as the contract is.
 * @param {Json} document the contract
 * @param {string} styles of every page
 * @returns {string}
 */
export function apiDocsPage(document, styles) {
  return `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    ${ICON_LINKS.join('')}
    <title>API · Najwa</title>
    <style>${styles}${STYLES.replaceAll(/\s+/g, ' ')}</style>
  </head>
  <body>${render(document).replaceAll(/\n\s+/g, '\n')}</body>
</html>
`;
}
