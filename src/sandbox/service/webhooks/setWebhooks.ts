import type { DatabaseWork } from '../../store/database.ts'
import { webhookSettings } from '../../store/tables/index.ts'
import { newSecret } from './settingsOf.ts'

/** Sets what the options say of webhooks; what they leave out stays as it is. */
export async function setWebhooks(
  work: DatabaseWork,
  merchants: readonly {
    merchantId: string
    webhookUrl?: string | undefined
    webhookSecret?: string | undefined
  }[],
): Promise<void> {
  for (const { merchantId, webhookUrl: url, webhookSecret: secret } of merchants) {
    if (url === undefined && secret === undefined) continue
    const set = { ...(url !== undefined && { url }), ...(secret !== undefined && { secret }) }
    await work
      .insert(webhookSettings)
      .values({ merchantId, secret: newSecret(), ...set })
      .onConflictDoUpdate({ target: webhookSettings.merchantId, set })
  }
}
