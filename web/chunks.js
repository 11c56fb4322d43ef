import { build } from 'vite';
import { withImports } from './budgets.js';

/** The mode of the build that finds out which modules each entry needs. */
export const PLANNING = 'planning';

/** A public page's files, in the order in which it needs them. They also serve all other entries. */
const PUBLIC_PAGE = { visitor: ['index.html'], late: ['layout/frame.ts'], page: ['public-page/late.ts'] };

/** Other entries. Those of one line are loaded together, or one as well as another. */
const GROUPS = [
  ['shell/router.tsx'],
  ['visitor/home/index.ts'],
  ['visitor/info/index.ts', 'visitor/not-found/index.ts'],
  ['visitor/auth/index.ts'],
  ['Closed.tsx'],
  ['Toaster.tsx'],
  ['PhoneMenu.tsx', 'AccountMenu.tsx', 'ImageViewer.tsx', 'ReportDialog.tsx'],
  ['visitor/outbox/index.ts', 'lib/drafts.ts', 'DeviceHelp.tsx', 'UnsentNotice.tsx', 'send-with-progress.ts'],
  ['visitor/recorder/index.ts'],
  ['visitor/way-back/index.ts'],
  ['owner/notifications/index.ts'],
  ['owner/profile/index.ts', 'owner/inbox/index.ts'],
  ['owner/settings/index.ts', 'owner/admin/index.ts'],
];

/** In characters. Smaller files join one that more groups need. */
const SMALLEST = 6_000;

/** Libraries are a file of their own, which changes less often. */
const LIBRARY = /node_modules\/(?!lucide)|\/lib\/libraries\/|^\0|^rolldown/;
const LIBRARIES = { visitor: 'vendor', late: 'store' };

/** One file for each set of groups that share modules. The bundler's default would make each shared icon a request. */
export async function chunkGroups(root) {
  const { output } = await build({ root, mode: PLANNING, logLevel: 'warn', build: { write: false, minify: false } });
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const modules = new Map([...chunks.values()].flatMap((chunk) => Object.entries(chunk.modules)));
  const entries = [...chunks.values()].filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry);
  const needs = new Map(
    entries.map(({ fileName, facadeModuleId }) => [
      facadeModuleId,
      new Set(withImports(chunks, [fileName]).flatMap((name) => chunks.get(name).moduleIds)),
    ]),
  );
  for (const name of [...Object.values(PUBLIC_PAGE), ...GROUPS].flat())
    if (!entries.some(({ facadeModuleId }) => facadeModuleId.endsWith(`/${name}`)))
      throw new Error(`No entry is ${name}.`);

  /** @type {Map<string, string[]>} */
  const files = new Map();
  for (const id of modules.keys()) {
    const users = [...needs.keys()].filter((entry) => needs.get(entry).has(id));
    const isUsedBy = (group) => users.some((user) => group.some((entry) => user.endsWith(`/${entry}`)));
    const first = Object.keys(PUBLIC_PAGE).find((name) => isUsedBy(PUBLIC_PAGE[name]));
    const isOwn = first !== 'visitor' && users.length < 2;
    if (isOwn || needs.has(id) || id.endsWith('/src/main.tsx')) continue;
    const name =
      (LIBRARY.test(id) && LIBRARIES[first]) || first || GROUPS.map((group) => Number(isUsedBy(group))).join('');
    if (/[^0]/.test(name)) files.set(name, [...(files.get(name) ?? []), id]);
  }

  const countOf = (name) => name.replaceAll('0', '').length;
  const sizeOf = (name) => files.get(name).reduce((sum, id) => sum + (modules.get(id).code?.length ?? 0), 0);
  const byCount = [...files.keys()].filter((name) => /^[01]+$/.test(name)).sort((a, b) => countOf(a) - countOf(b));
  for (const [index, name] of byCount.entries()) {
    const pattern = new RegExp(`^${name.replaceAll('0', '.')}$`);
    const wider = byCount.slice(index + 1).find((other) => pattern.test(other));
    if (wider === undefined || sizeOf(name) >= SMALLEST) continue;
    files.set(wider, [...files.get(wider), ...files.get(name)]);
    files.delete(name);
  }
  return [...files].map(([name, ids]) => ({
    name: /^[01]+$/.test(name) ? 'shared' : name,
    test: (id) => ids.includes(id),
  }));
}
