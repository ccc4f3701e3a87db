import type { Address, Hex } from 'viem'
import { InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { ModuleLoadError } from '../../core/loadModule.ts'
import { recoverAddress } from '../viem.ts'
import { classifySignature } from './classifySignature.ts'
import { normalizeSignature } from './normalizeSignature.ts'

/** A signature of some key. */
const known = { hash: '0x02', signature: { r: '0x01', s: '0x01', yParity: 0 } } as const

/**
 * Loads the curve, which viem does when it first recovers a key.
 *
 * @throws {@link ModuleLoadError} if it cannot be loaded: `recoverSigner` would find no key then
 */
export async function loadCurve(): Promise<void> {
  try {
    await recoverAddress(known)
  } catch (cause) {
    throw new ModuleLoadError(cause)
  }
}

export declare namespace loadCurve {
  type ErrorType = ModuleLoadError
}

/** The address of the key that signed a digest; `undefined` if no key can have signed it. */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | undefined> {
  let packed: Hex
  try {
    packed = normalizeSignature(signature)
  } catch (error) {
    if (error instanceof InvalidSignatureError) return undefined
    throw error
  }
  if (classifySignature(packed) !== 'packed') return undefined
  try {
    return await recoverAddress({ hash: digest, signature: packed })
  } catch {
    // r is not the x coordinate of a point, so no key makes such a signature
    return undefined
  }
}
