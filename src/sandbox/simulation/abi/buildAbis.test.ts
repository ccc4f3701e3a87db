import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AbiFolderNotFoundError, NoAbiFoundError, readAbiFolder } from './buildAbis.ts'

const buy = { type: 'function', name: 'buy', inputs: [], outputs: [], stateMutability: 'nonpayable' }
const soldOut = { type: 'error', name: 'SoldOut', inputs: [] }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redeemkit-abi-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, content: unknown) {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const names = async (path = folder) => (await readAbiFolder(path)).artifacts.map(({ name }) => name)

describe('locations of ABIs', () => {
  test('reads the output of forge, without its internal files', async () => {
    write('Shop.sol/Shop.json', { abi: [buy], bytecode: { object: '0x' }, id: 3 })
    write('build-info/1.json', { abi: [soldOut] })
    expect(await names()).toEqual(['Shop'])
  })

  test('reads the artifacts of Hardhat 2 and 3, without their debug files', async () => {
    write('contracts/Shop.sol/Shop.json', {
      _format: 'hh-sol-artifact-1',
      contractName: 'Shop',
      abi: [buy],
      linkReferences: {},
    })
    write('contracts/Shop.sol/Shop.dbg.json', { _format: 'hh-sol-dbg-1', buildInfo: '../../x.json' })
    write('contracts/Till.sol/Till.json', { _format: 'hh3-artifact-1', contractName: 'Till', abi: [soldOut] })
    expect(await names()).toEqual(['Shop', 'Till'])
  })

  test('reads a Truffle build', async () => {
    write('Shop.json', { contractName: 'Shop', abi: [buy], networks: {}, schemaVersion: '3.4.16' })
    expect(await names()).toEqual(['Shop'])
  })

  test.each(['foundry.toml', 'hardhat.config.ts'])(
    'reads the build of a project root with %s',
    async (config) => {
      write(config, '')
      write('tsconfig.json', '{ // a comment')
      write(config === 'foundry.toml' ? 'out/Shop.sol/Shop.json' : 'artifacts/Shop.json', { abi: [buy] })
      expect(await readAbiFolder(folder)).toMatchObject({ artifacts: [{ name: 'Shop' }], unread: [] })
    },
  )

  test('reads a single artifact file', async () => {
    write('Till.json', { abi: [soldOut] })
    expect(await names(write('Shop.json', { abi: [buy] }))).toEqual(['Shop'])
  })

  test('reads a plain ABI file', async () => {
    expect((await readAbiFolder(write('shop.abi', [buy, soldOut]))).abis).toEqual([[buy, soldOut]])
  })

  test('does not follow a symbolic link to a parent folder', async () => {
    write('Shop.json', { abi: [buy] })
    symlinkSync(folder, join(folder, 'again'))
    expect(await names()).toEqual(['Shop'])
  })
})

describe('missing and unreadable files', () => {
  test('reports a missing folder', async () => {
    const absent = join(folder, 'out')
    await expect(readAbiFolder(absent)).rejects.toThrow(AbiFolderNotFoundError)
    await expect(readAbiFolder(absent)).rejects.toThrow(absent)
  })

  test('reports a folder without artifacts, with the number of files checked', async () => {
    write('package.json', { name: 'shop' })
    await expect(readAbiFolder(folder)).rejects.toThrow(NoAbiFoundError)
    await expect(readAbiFolder(folder)).rejects.toThrow('checked 1 JSON file')
  })

  test('reports a broken file and reads the others', async () => {
    const broken = write('Broken.sol/Broken.json', '{"abi":[')
    write('Shop.sol/Shop.json', { abi: [buy] })
    const { artifacts, unread } = await readAbiFolder(folder)
    expect(artifacts.map(({ name }) => name)).toEqual(['Shop'])
    expect(unread).toEqual([{ file: broken, reason: 'it is not valid JSON' }])
  })

  test('reports a broken file in the error if it is the only one', async () => {
    write('Broken.json', '<html>')
    await expect(readAbiFolder(folder)).rejects.toThrow('Broken.json" (it is not valid JSON')
  })

  test('ignores JSON with an invalid "abi"', async () => {
    write('Shop.json', { abi: [buy] })
    for (const [place, abi] of [null, 'text', [null], [{ type: 'x' }], { 0: buy }].entries())
      write(`${place}.json`, { abi })
    expect(await names()).toEqual(['Shop'])
  })
})
