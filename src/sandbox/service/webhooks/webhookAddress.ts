/** Whether webhooks can be sent there: http or https, without credentials, which would stand in the database. */
export function isWebhookAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2_000 || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** A secret that signs: text that a header and a `.env` file can hold. */
export function isWebhookSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[!-~]{8,200}$/.test(text)
}
