import {
  decryptWithDetail,
  decryptWithKey,
  encryptWithDetail,
  encryptWithKey,
  importKey,
} from '@metamask/browser-passworder'
import { validateMnemonic } from '@scure/bip39'
import type { Address } from 'viem'
import { english, type LocalAccount, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { type Account, AskError, type Secret } from '../messages.ts'
import { passwordStrength } from '../windows/passwordStrength.ts'
import type { Store, StoredAccount } from './openStore.ts'

/** The iteration count that OWASP recommends for PBKDF2 with SHA-256. */
const keyDerivation = { algorithm: 'PBKDF2', params: { iterations: 600_000 } } as const

export type Vault = ReturnType<typeof createVault>

/**
 * Keys are decrypted for each signature, and leave this module only inside an account that signs. While the vault is unlocked, its
 * encryption key is in the session storage: in memory, and out of reach of content scripts.
 */
export function createVault(store: Store) {
  const key = () => {
    const text = store.get('vaultKey')
    if (text === undefined) throw new AskError('locked', 'The wallet is locked.')
    return text
  }

  async function readSecrets(): Promise<Secret[]> {
    const cipher = JSON.parse(store.get('vault') ?? 'null')
    return decryptWithKey(await importKey(key()), cipher)
  }

  let last: Promise<unknown> = Promise.resolve()

  /** Runs changes one after another. Two concurrent changes would each write a vault without the other's secret. */
  function inTurn<result>(change: () => Promise<result>): Promise<result> {
    const done = last.then(change)
    last = done.catch(() => {}) // the failed change rejects its own promise
    return done
  }

  function withAccount(account: Omit<StoredAccount, 'name'>, name: string | undefined) {
    const accounts = store.get('accounts')
    if (accounts.some(({ address }) => address === account.address))
      throw new AskError('knownAccount', 'The wallet already has this account.')
    const added: StoredAccount = { ...account, name: name?.trim() || `Account ${accounts.length + 1}` }
    const { address, from } = added
    return {
      changes: { accounts: [...accounts, added], selected: store.get('selected') ?? address },
      added: { address, from, name: added.name } satisfies Account,
    }
  }

  return {
    state: () =>
      store.get('vault') === undefined
        ? ('none' as const)
        : store.get('vaultKey') === undefined
          ? ('locked' as const)
          : ('unlocked' as const),

    create: (password: string, given: Secret): Promise<void> =>
      inTurn(async () => {
        if (store.get('vault') !== undefined) throw new AskError('invalidRequest', 'A vault already exists.')
        if (passwordStrength(password) === 'weak')
          throw new AskError('weakPassword', 'The password is too easy to guess.')
        const secret = checkSecret(given)
        const { vault, exportedKeyString } = await encryptWithDetail(
          password,
          [secret],
          undefined,
          keyDerivation,
        )
        const { changes } = withAccount(firstOf(secret, 0), undefined)
        await store.set({ vault, vaultKey: exportedKeyString, ...changes })
      }),

    unlock: async (password: string): Promise<void> => {
      const vault = store.get('vault')
      if (vault === undefined) throw new AskError('noVault', 'There is no vault.')
      // The cause is left out, because it might contain decrypted data.
      const { exportedKeyString } = await decryptWithDetail(password, vault).catch(() => {
        throw new AskError('wrongPassword', 'The password is wrong.')
      })
      await store.set({ vaultKey: exportedKeyString })
    },

    lock: () => store.set({ vaultKey: undefined }),

    importSecret: (given: Secret, name: string | undefined): Promise<Account> =>
      inTurn(async () => {
        const secret = checkSecret(given)
        const secrets = await readSecrets()
        const { salt } = JSON.parse(store.get('vault') ?? 'null')
        const cipher = await encryptWithKey(await importKey(key()), [...secrets, secret])
        const { changes, added } = withAccount(firstOf(secret, secrets.length), name)
        await store.set({ vault: JSON.stringify({ ...cipher, salt }), ...changes })
        return added
      }),

    deriveAccount: async (name: string | undefined): Promise<Account> => {
      const secrets = await readSecrets()
      const at = secrets.findIndex(({ kind }) => kind === 'phrase')
      const phrase = secrets[at]
      if (phrase === undefined) throw new AskError('noPhrase', 'The wallet has no phrase to derive from.')
      const accounts = store.get('accounts')
      const isKnown = (index: number) =>
        accounts.some(({ address }) => address === accountOf(phrase, index).address)
      let index = accounts.filter(({ secret }) => secret === at).length
      while (isKnown(index)) index += 1 // skips an account that exists already, for example as an imported key
      const { address } = accountOf(phrase, index)
      const { changes, added } = withAccount({ address, from: 'phrase', secret: at, index }, name)
      await store.set(changes)
      return added
    },

    /** Fails with `locked`. */
    signerOf: async (address: Address): Promise<LocalAccount> => {
      const secrets = await readSecrets()
      const account = store.get('accounts').find((one) => one.address === address)
      const secret = secrets[account?.secret ?? -1]
      if (account === undefined || secret === undefined)
        throw new AskError('failed', 'The wallet does not have this account.')
      return accountOf(secret, account.index)
    },
  }
}

function firstOf(secret: Secret, at: number): Omit<StoredAccount, 'name'> {
  return { address: accountOf(secret, 0).address, from: secret.kind, secret: at, index: 0 }
}

function checkSecret(given: Secret): Secret {
  const secret = readSecret(given)
  if (secret === undefined)
    throw new AskError(
      'invalidSecret',
      given.kind === 'phrase'
        ? 'These words are not a recovery phrase. Check their spelling and order.'
        : 'This is not a private key: 64 characters, 0 to 9 and a to f.',
    )
  return secret
}

/** Copied text can contain invisible characters, which a person could not find. */
const blanks = /[\s\p{Cf}]+/u

/**
 * @returns the secret in a uniform spelling; `undefined` for an invalid phrase or key
 */
function readSecret(secret: Secret): Secret | undefined {
  if (secret.kind === 'phrase') {
    const phrase = secret.phrase.split(blanks).join(' ').trim().toLowerCase()
    return validateMnemonic(phrase, english) ? { kind: 'phrase', phrase } : undefined
  }
  const hex = secret.key.split(blanks).join('').replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hex)) return undefined
  const read = { kind: 'key', key: `0x${hex}` } as const
  try {
    // This throws for 0 and for numbers above the order of the curve.
    accountOf(read, 0)
    return read
  } catch {
    return undefined
  }
}

/** A phrase has one account for each index (BIP-44). */
function accountOf(secret: Secret, index: number): LocalAccount {
  return secret.kind === 'phrase'
    ? mnemonicToAccount(secret.phrase, { addressIndex: index })
    : privateKeyToAccount(secret.key as `0x${string}`) // `readSecret` has checked the secret.
}
