import { InvalidOptionError } from './errors/inputErrors.ts'

/** Throws without Web Crypto, as in React Native without a polyfill. */
export function secureRandom(length: number): Uint8Array {
  if (typeof globalThis.crypto?.getRandomValues === 'function')
    return globalThis.crypto.getRandomValues(new Uint8Array(length))
  throw new InvalidOptionError('This platform has no crypto.getRandomValues.', {
    field: 'random',
    fix: "Import a polyfill first, in React Native 'react-native-get-random-values'. Nothing was signed.",
  })
}
