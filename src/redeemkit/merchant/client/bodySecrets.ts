/** Fields of bodies that no error and no log may repeat: numbers of cards, accounts and persons, signatures, credentials. */
const secretFields: ReadonlySet<string> = new Set([
  'number',
  'cvv',
  'accountNumber',
  'ssn',
  'tin',
  'token',
  'cardToken',
  'cavv',
  'jwtToken',
  'destinationAuthKey',
  'permitCredits',
  'signature',
  'r',
  's',
])

/** Every secret of a body, at any depth, to be taken out of what the service says in an error. */
export function bodySecrets(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(bodySecrets)
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([field, value]) =>
    typeof value === 'string' && secretFields.has(field) ? [value.replace(/^0x/, '')] : bodySecrets(value),
  )
}
