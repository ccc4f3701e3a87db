import type { SandboxMerchant } from '../merchantOptions.ts'
import type { KeptSettings } from './keptSettings.ts'
import { newKeys } from './newKeys.ts'

/** A merchant with all that a program of it needs. */
export type StartedMerchant = SandboxMerchant & { creditSeed: string; jwtSecret: string }

/**
 * The merchants of a sandbox: the one that its own options describe, and the further ones. What a data folder keeps of their keys
 * stays as it is, and what nothing says is random.
 *
 * @returns `kept` with the keys of all of them
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
    // Callers without types give anything; `checkSandboxOptions` tells them.
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

/** A merchant beside the first. */
export type FurtherMerchant = Omit<SandboxMerchant, 'apiKey'> & {
  /** Default: the one that `dataDir` keeps, or a random one. */
  apiKey?: string | undefined
}
