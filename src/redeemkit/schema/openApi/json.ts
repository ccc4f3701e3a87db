/** A part of a document that is plain JSON. */
export type JsonObject = { [key: string]: unknown }

/** Points to a named component. */
export function refTo(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` }
}

/** Names of the schemas that a part of a document points to, at every depth. */
export function schemasIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].flatMap(
    ([, name]) => name ?? [],
  )
}
