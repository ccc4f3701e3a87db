import { InvalidSandboxOptionsError } from '../../errors.ts'

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

/**
 * The webhook options of merchants.
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export function checkWebhookOptions(
  merchants: readonly { webhookUrl?: string | undefined; webhookSecret?: string | undefined }[],
): void {
  for (const { webhookUrl, webhookSecret } of merchants) {
    if (webhookUrl !== undefined && !isWebhookAddress(webhookUrl))
      throw new InvalidSandboxOptionsError('webhookUrl is no address that webhooks can be sent to.', {
        field: 'merchants.webhookUrl',
        fix: 'Give one with http or https and without user name and password.',
      })
    if (webhookSecret !== undefined && !isWebhookSecret(webhookSecret))
      throw new InvalidSandboxOptionsError('webhookSecret is no secret that can sign.', {
        field: 'merchants.webhookSecret',
        fix: 'Give 8 to 200 printable characters without spaces, or leave it out for a random one.',
      })
  }
}
