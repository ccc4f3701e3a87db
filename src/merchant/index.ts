import { refuseBrowser } from './refuseBrowser.ts'

// The package's manifest names this file among those with an effect: no bundler leaves the call out.
refuseBrowser()

export { MerchantCodeInBrowserError } from './refuseBrowser.ts'
export { InvalidWebhookSignatureError, StaleWebhookError, verifyWebhook } from './verifyWebhook.ts'
