import type { Address } from 'viem'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { jsonText } from '../../core/json/jsonText.ts'
import type { TypedDataMember } from '../eip712/typedData.ts'
import { checkRecord } from '../values.ts'

/** A descriptor for ERC-7730 and its test file, plain JSON. */
export type ClearSigningFile = {
  /** Name in a registry: `name.json`, with its tests in `testsv2/name.tests.json`. */
  name: string
  descriptor: ClearSigningDescriptor
  tests: ClearSigningTests
}

/** The used part of a descriptor (ERC-7730, schema 2.0.0). */
export type ClearSigningDescriptor = {
  $schema: string
  context: {
    eip712: {
      domain: { name: string; version: string }
      deployments: { chainId: number; address: Address }[]
    }
  }
  metadata: {
    owner: string
    info: { url: string }
  }
  display: {
    /** By the message's type, as EIP-712 encodes it. */
    formats: Record<string, { intent: string; fields: ClearSigningField[] }>
  }
}

/** One line that the wallet shows. */
export type ClearSigningField = {
  path: string
  label: string
  format: string
  params?: Readonly<Record<string, unknown>>
  visible?: 'always' | { ifNotIn: string[] }
}

/** A test file of the public registry. */
export type ClearSigningTests = {
  $schema: string
  descriptor: string
  dataProvider: { tokens: Record<string, { symbol: string; decimals: number; name: string }> }
  tests: {
    description: string
    data: { types: object; primaryType: string; domain: object; message: object }
    expected: { intent: string; owner: string; fields: { label: string; value: string }[] }
  }[]
}

/** A message in a descriptor, with the expected result of its tests. */
export type ClearSigningMessage = {
  type: string
  members: readonly TypedDataMember[]
  intent: string
  fields: ClearSigningField[]
  /** The name of an example. */
  description: string
  /** One example for each deployment, with the same values. */
  examples: readonly { chainId: number; data: ClearSigningTests['tests'][number]['data'] }[]
  /** The text of each label for an example. */
  shown: Readonly<Record<string, string>>
}

/** Creates a descriptor with its test file. */
export function clearSigningFile(options: {
  name: string
  owner: string
  url: string
  domain: { name: string; version: string }
  deployments: ClearSigningDescriptor['context']['eip712']['deployments']
  tokens: ClearSigningTests['dataProvider']['tokens']
  messages: readonly ClearSigningMessage[]
}): ClearSigningFile {
  const { name, owner, url, domain, deployments, tokens, messages } = options
  return {
    name,
    descriptor: {
      // the immutable schema of this version; a wallet checks the major version
      $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json',
      context: { eip712: { domain, deployments } },
      metadata: { owner, info: { url } },
      display: {
        formats: Object.fromEntries(
          messages.map(({ type, members, intent, fields }) => [
            `${type}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`,
            { intent, fields },
          ]),
        ),
      },
    },
    tests: {
      // relative to the folder of the test files in a registry
      $schema: '../../../specs/erc7730-tests-v2.schema.json',
      descriptor: `../${name}.json`,
      dataProvider: { tokens },
      tests: messages.flatMap(({ description, examples, intent, shown }) =>
        examples.map(({ chainId, data }) => ({
          description: `${description} on chain ${chainId}`,
          data: JSON.parse(jsonText(data)),
          expected: {
            intent,
            owner,
            fields: Object.entries(shown).map(([label, value]) => ({ label, value })),
          },
        })),
      ),
    },
  }
}

/** The values of the examples. */
export const example = {
  wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  nonce: '0xcff8661c04b781a2804ce2e83dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6',
  validBefore: 1_800_000_600n,
  validUntil: '2027-01-15 08:10:00Z',
} as const

/** The fields that several messages have. */
export const sharedFields = {
  wallet: (path: string): ClearSigningField => ({
    path,
    label: 'Wallet',
    format: 'addressName',
    params: { types: ['wallet'], sources: ['local', 'ens'] },
    visible: 'always',
  }),
  end: {
    path: 'validBefore',
    label: 'Valid until',
    format: 'date',
    params: { encoding: 'timestamp' },
    visible: 'always',
  },
  nonce: { path: 'nonce', label: 'Purchase', format: 'raw', visible: 'always' },
} as const satisfies Record<string, ClearSigningField | ((path: string) => ClearSigningField)>

/** Checks for a non-empty list of objects. */
export function checkList<item extends object>(value: readonly item[], field: string): readonly item[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InvalidRecordError(`${showValue(value)} is not a list with an entry.`, {
      field,
      fix: `Pass \`${field}\` as a list.`,
    })
  for (const [at, one] of value.entries()) checkRecord(one, `${field}[${at}]`)
  return value
}
