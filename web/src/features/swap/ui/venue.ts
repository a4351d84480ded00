import venuesFile from "@catalog/venues.json";

/** A venue's name as people know it. */
export function venueName(id: string): string {
  return venuesFile.venues.find((venue) => venue.id === id)?.name ?? id;
}
