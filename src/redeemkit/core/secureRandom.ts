import { InvalidOptionError } from './errors/inputErrors.ts'

/**
 * Returns cryptographically secure random bytes.
 *
 * @throws {@link InvalidOptionError} if the platform has no Web Crypto, such as React Native without a polyfill
 */
export function secureRandom(length: number): Uint8Array {
  if (typeof globalThis.crypto?.getRandomValues === 'function')
    return globalThis.crypto.getRandomValues(new Uint8Array(length))
  throw new InvalidOptionError('This platform has no crypto.getRandomValues.', {
    field: 'random',
    fix: "Import a polyfill first, in React Native 'react-native-get-random-values'. Nothing was signed.",
  })
}
