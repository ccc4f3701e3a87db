import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { networks } from '../networks.ts'
import { renderClearSigning, renderMicro } from './clearSigning.fixture.ts'
import { creditPermitDescriptor } from './creditPermitDescriptor.ts'
import { usdcAuthorizationDescriptors } from './usdcAuthorizationDescriptors.ts'

/** Reads a schema or descriptor of the public ERC-7730 registry from the test vectors, whose README names the sources. */
const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../test/vectors/erc7730/${name}.json`, import.meta.url), 'utf8'))

const files = [
  creditPermitDescriptor({
    owner: 'Moonrise Prints',
    url: 'https://moonrise.example',
    deployments: [
      { chainId: 8453, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
      { chainId: 137, address: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512' },
    ],
  }),
  ...usdcAuthorizationDescriptors(networks),
]

/** Returns the errors of a validation against a JSON schema; null if the data is valid. */
function problemsOf(schema: object, data: object, dialect: typeof Ajv | typeof Ajv2020): unknown {
  const ajv = new dialect({
    strict: false,
    formats: {
      eip155: { type: 'number', validate: (chainId: number) => Number.isSafeInteger(chainId) && chainId > 0 },
      eip55: (address: string) => isAddress(address),
      uri: (text: string) => URL.canParse(text),
      'uri-reference': (text: string) => URL.canParse(text, 'https://registry.example'),
      'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
    },
  })
  const validate = ajv.compile(schema)
  validate(data)
  return validate.errors
}

describe.each(files)('$name', ({ name, descriptor, tests }) => {
  test.each(['erc7730-v2.schema', 'erc7730-v3.0.0-next.schema'])(
    'is valid against the JSON schema %s',
    (schema) => {
      expect(problemsOf(vector(schema), descriptor, Ajv2020)).toBeNull()
      expect(problemsOf(vector(schema), { ...descriptor, more: 1 }, Ajv2020)).not.toBeNull()
    },
  )

  test('has a valid test file that refers to the descriptor', () => {
    expect(problemsOf(vector('erc7730-tests-v2.schema'), tests, Ajv)).toBeNull()
    expect(problemsOf(vector('erc7730-tests-v2.schema'), { ...tests, tests: [] }, Ajv)).not.toBeNull()
    expect(tests.descriptor).toBe(`../${name}.json`)
  })

  test.each(tests.tests)(
    '$description: the reference implementation shows the expected text',
    async ({ data, expected }) => {
      expect(await renderClearSigning({ name, descriptor, tests }, data)).toEqual(expected)
    },
  )

  test.each(tests.tests)(
    '$description: a second implementation shows the same text',
    async ({ data, expected }) => {
      const { intent, fields } = await renderMicro({ name, descriptor, tests }, data)
      const alike = ([label, value]: [string, string]) => [
        label,
        label === 'Valid until' ? new Date(value).getTime() : value.replace(/ (?=USD$)/, ''),
      ]
      expect(intent).toBe(expected.intent)
      expect(Object.entries(fields).map(alike)).toEqual(
        expected.fields.map(({ label, value }) => alike([label, value.replace(' 08:10:00Z', 'T08:10:00Z')])),
      )
    },
  )
})

test('the documentation lists the networks that Circle’s own descriptors cover', () => {
  const page = readFileSync(
    new URL('../../../../docs/pages/wallet/clear-signing.md', import.meta.url),
    'utf8',
  )
  const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, chainId]) => Number(chainId))
  for (const type of ['Receive', 'Transfer']) {
    const { context, display } = vector(`circle-${type}WithAuthorization`)
    const held = context.eip712.deployments.map(({ chainId }: { chainId: number }) => chainId)
    expect(listed).toEqual(held)
    expect(Object.keys(display.formats)).toEqual([expect.stringContaining(`${type}WithAuthorization(`)])
    const lacking = networks.filter(
      ({ chainId, usdc, environment }) => usdc && environment === 'prod' && !held.includes(chainId),
    )
    const names = lacking.map(({ name }) => name).join(', ')
    expect(page).toContain(`For ${names} and the test networks, use`)
  }
})
