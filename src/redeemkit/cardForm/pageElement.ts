/** `HTMLElement` without naming it, because server projects that read these declarations have no DOM types. */
export type PageElement = typeof globalThis extends { HTMLElement: { prototype: infer element } }
  ? element
  : never
