import { formatBase64 } from '../../../redeemkit/core/base64.ts'
import type { StellarWalletProfile } from './walletProfile.ts'

/** Known defects of Stellar wallets, with their public reports. */
export const stellarProfiles = [
  {
    name: 'freighter-buffer-as-json',
    wallet: 'Freighter 5.24',
    reported: 'https://github.com/stellar/freighter/issues/1626',
    what: 'A signed message is a JSON-serialized Buffer.',
    play: {
      signMessage: ({ signedMessage = '', ...answer }) => ({
        ...answer,
        signedMessage: { type: 'Buffer', data: bytesOfHex(signedMessage) },
      }),
    },
  },
  {
    name: 'freighter-base64',
    wallet: 'Freighter',
    reported: 'https://github.com/Creit-Tech/Stellar-Wallets-Kit/issues/105',
    what: 'A signed message is base64 instead of hex (SEP-43).',
    play: {
      signMessage: ({ signedMessage = '', ...answer }) => ({
        ...answer,
        signedMessage: base64Of(signedMessage),
      }),
    },
  },
  {
    name: 'wallets-kit-encodes-twice',
    wallet: 'Freighter behind Stellar Wallets Kit',
    reported: 'https://github.com/Creit-Tech/Stellar-Wallets-Kit/issues/68',
    what: 'A signed message is encoded as base64 twice.',
    play: {
      signMessage: ({ signedMessage = '', ...answer }) => ({
        ...answer,
        signedMessage: btoa(base64Of(signedMessage)),
      }),
    },
  },
  {
    name: 'freighter-decodes-before-it-signs',
    wallet: 'Freighter',
    reported: 'https://github.com/stellar/freighter/issues/2128',
    what: 'It decodes the message as base64, and signs the resulting bytes.',
    play: {
      signMessage: (answer, { payload, sign }) => {
        const letters = payload.replace(/[^\w+/]/g, '').replaceAll('_', '')
        const decoded = atob(letters.slice(0, letters.length - (letters.length % 4)))
        const signature = sign(Uint8Array.from(decoded, (letter) => letter.charCodeAt(0)))
        return { ...answer, signedMessage: formatBase64(signature) }
      },
    },
  },
  {
    name: 'freighter-refuses-messages',
    wallet: 'Freighter',
    reported: 'https://github.com/stellar/freighter/issues/2100',
    what: 'It reports every message as rejected by the user.',
    play: {
      signMessage: () => ({
        signedMessage: '',
        signerAddress: '',
        error: { code: -4, message: 'The user rejected this request.' },
      }),
    },
  },
  {
    name: 'rabet-invalid-xdr',
    wallet: 'Rabet behind Stellar Wallets Kit',
    reported: 'https://github.com/Creit-Tech/Stellar-Wallets-Kit/issues/17',
    what: 'It rejects a contract call as invalid, with a string instead of an error.',
    play: { signTransaction: () => Promise.reject('Invalid XDR') },
  },
] as const satisfies readonly StellarWalletProfile[]

const bytesOfHex = (hex: string) => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
const base64Of = (hex: string) => formatBase64(Uint8Array.from(bytesOfHex(hex)))
