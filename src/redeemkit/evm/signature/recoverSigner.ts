import type { Address, Hex } from 'viem'
import { ModuleLoadError } from '../../core/loadModule.ts'
import { recoverAddress } from '../viem.ts'
import { classifySignature } from './classifySignature.ts'
import { normalizeSignature } from './normalizeSignature.ts'

/** A valid signature by an arbitrary key. */
const known = { hash: '0x02', signature: { r: '0x01', s: '0x01', yParity: 0 } } as const

/**
 * Loads the curve, which viem otherwise loads with the first recovery.
 *
 * @throws {@link ModuleLoadError} if it cannot be loaded; `recoverSigner` could then find no key
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

/** Returns the address of the key that signed a digest; `undefined` if no key can have made the signature. */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | undefined> {
  try {
    const packed = normalizeSignature(signature)
    if (classifySignature(packed) !== 'packed') return undefined
    return await recoverAddress({ hash: digest, signature: packed })
  } catch {
    // v, r or s is out of range, or r is not the x coordinate of a point
    return undefined
  }
}
