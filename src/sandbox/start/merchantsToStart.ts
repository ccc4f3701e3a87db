import type { SandboxMerchant } from '../merchantOptions.ts'
import { type KeptSettings, newKeys } from './keptSettings.ts'

export type StartedMerchant = SandboxMerchant & { creditSeed: string; jwtSecret: string }

/**
 * Determines a sandbox's merchants: the first one from the sandbox's options, and the further merchants. Keys come from the options
 * or the data folder; missing keys are random.
 *
 * @returns the merchants, and `kept` with all of their keys
 */
export function merchantsToStart(
  first: Omit<StartedMerchant, 'apiKey' | 'jwtSecret'> & {
    apiKey: string | undefined
    jwtSecret: string | undefined
  },
  options: { further: readonly FurtherMerchant[]; kept: KeptSettings },
): { merchants: [StartedMerchant, ...StartedMerchant[]]; kept: KeptSettings } {
  const { further, kept } = options
  const own = {
    ...first,
    apiKey: first.apiKey ?? kept.apiKey,
    jwtSecret: first.jwtSecret ?? kept.jwtSecret,
  }
  const keptKeys = new Map(Object.entries(kept.merchants ?? {}))
  const others = further.map((one) => {
    // Untyped callers may pass any value; `checkSandboxOptions` reports an invalid one.
    const { merchantId } = { ...one }
    const { apiKey, jwtSecret } = keptKeys.get(merchantId) ?? newKeys()
    return {
      ...one,
      creditSeed: one?.creditSeed ?? merchantId,
      apiKey: one?.apiKey ?? apiKey,
      jwtSecret: one?.jwtSecret ?? jwtSecret,
    }
  })
  for (const { merchantId, apiKey, jwtSecret } of others) keptKeys.set(merchantId, { apiKey, jwtSecret })
  const { apiKey, jwtSecret } = own
  return {
    merchants: [own, ...others],
    kept: {
      ...kept,
      apiKey,
      jwtSecret,
      ...(keptKeys.size > 0 && { merchants: Object.fromEntries(keptKeys) }),
    },
  }
}

export type FurtherMerchant = Omit<SandboxMerchant, 'apiKey'> & {
  /** API key. Default: the key stored in `dataDir`, or a random one. */
  apiKey?: string | undefined
}
