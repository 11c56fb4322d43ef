import { open, validate, type CityResponse } from 'maxmind';

export interface Locator {
  /** City, region and country of an address, as far as they are known. Empty when nothing is known. */
  locate(ipAddress: string): string;
}

/**
 * Looks addresses up in a local file, so that no address is sent to a third party.
 * @param database path of a MaxMind DB (.mmdb) of cities or countries. Without one, every location is empty.
 */
export async function createLocator(database: string | undefined): Promise<Locator> {
  if (database === undefined) return { locate: () => '' };
  const reader = await open<CityResponse>(database);
  return {
    locate(ipAddress) {
      const found = validate(ipAddress) ? reader.get(ipAddress) : null;
      const places = [found?.city, found?.subdivisions?.[0], found?.country];
      return places.flatMap((place) => place?.names.en ?? []).join(', ');
    },
  };
}
