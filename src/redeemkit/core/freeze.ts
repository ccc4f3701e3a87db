export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}
