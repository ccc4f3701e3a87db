import { InvalidSandboxOptionsError } from '../../errors.ts'
import { isWebhookAddress, isWebhookSecret } from './webhookAddress.ts'

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
