import { open, validate, type CityResponse } from 'maxmind';

export interface Locator {
  /** City, region and country of an address, as far as they are known; else empty. */
  locate(ipAddress: string): string;
}

/**
 * Looks addresses up in a file, so that no address leaves the house.
 * @param database a MaxMind DB (.mmdb) of cities or countries; without one every place is unknown
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
