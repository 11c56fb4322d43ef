/** Once more when the connection breaks or changes, as on the way with a phone. Vite's own adds preloads, which pages have already. */
export async function __vitePreload<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const pause of [300, 1000, 3000]) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load();
}
