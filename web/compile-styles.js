import { createHash } from 'node:crypto';

const STYLE_FUNCTIONS = new Set(['styled', 'css', 'keyframes', 'createGlobalStyle']);

function rootOf(tag) {
  let node = tag;
  while (
    node.type === 'MemberExpression' ||
    node.type === 'CallExpression' ||
    node.type === 'TSInstantiationExpression'
  )
    node =
      node.type === 'MemberExpression' ? node.object : node.type === 'CallExpression' ? node.callee : node.expression;
  return node.type === 'Identifier' ? node.name : '';
}

const minify = (css) =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?/g, '$1');

function findTemplates(node, found) {
  if (Array.isArray(node)) {
    for (const child of node) findTemplates(child, found);
    return;
  }
  if (typeof node?.type !== 'string') return;
  if (node.type === 'TaggedTemplateExpression' && STYLE_FUNCTIONS.has(rootOf(node.tag))) found.push(node);
  for (const value of Object.values(node)) if (typeof value === 'object') findTemplates(value, found);
}

/** @type {Map<string, string>} */
const components = new Map();

/** The same in both builds. Short: pages and scripts are full of them. */
function componentId(file, index) {
  const component = `${file}:${index}`;
  const [id] = /[a-z][a-z\d]{3}/i.exec(createHash('sha256').update(component).digest('base64'));
  const known = components.get(id) ?? component;
  if (known !== component) throw new Error(`${component} and ${known} have one id by chance: rename a file of theirs.`);
  components.set(id, component);
  return id;
}

/**
 * Minifies CSS in templates, which no other tool does, and names each component: styled-components numbers them in load
 * order, which differs between client and server.
 */
export function compileStyles() {
  return {
    name: 'compile-styles',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/, code: 'styled-components' },
      handler(code, id) {
        const templates = [];
        findTemplates(this.parse(code, { lang: id.endsWith('x') ? 'tsx' : 'ts' }), templates);
        const file = id.slice(id.lastIndexOf('/web/src/'));
        const edits = templates.flatMap(({ tag, quasi }, index) => [
          ...(rootOf(tag) === 'styled'
            ? [{ start: tag.end, end: tag.end, text: `.withConfig({componentId:'${componentId(file, index)}'})` }]
            : []),
          ...quasi.quasis.map(({ start, value }) => {
            // The parser counts an expression's brace as part of the next text.
            const from = code.startsWith(value.raw, start) ? start : start + 1;
            return { start: from, end: from + value.raw.length, text: minify(value.raw) };
          }),
        ]);
        let result = '';
        let end = 0;
        for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
          // A nested template comes after the part before it.
          if (edit.start < end) continue;
          result += code.slice(end, edit.start) + edit.text;
          end = edit.end;
        }
        return { code: result + code.slice(end), map: null };
      },
    },
  };
}
