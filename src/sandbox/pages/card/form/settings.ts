/** What the service wrote into the page. */
export type Settings = {
  merchantId: string
  /** Origin of the page around it. */
  parent: string
  environment: 'sandbox' | 'prod'
  /** Names of headers. */
  headers: Record<'sessionKey' | 'wallet' | 'blockchain' | 'userId' | 'deviceId', string>
}

export function readSettings(): Settings {
  // Written by `cardPage`.
  return JSON.parse(document.documentElement.dataset.settings ?? '{}') as Settings
}
