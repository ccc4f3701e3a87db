import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Starts with files of one or two lines. They run long tests from another file; without a cache the largest files come
 * first, and these would run alone at the end.
 */
export class ThinFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || Number(isThin(b)) - Number(isThin(a)))
  }
}

const isThin = ({ moduleId }: TestSpecification) => statSync(moduleId).size < 100
const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
