import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readJson } from '../../conformance/core/files.ts';
import type { Profile } from '../../conformance/core/target.ts';
import schema from '../../conformance/generated/profile.schema.json' with { type: 'json' };
import { type SchemaNode, schemaProblems } from '../../openapi/schema-errors.ts';
import { UsageError } from '../shared/usage-error.ts';

let validate: ValidateFunction<Profile & { $schema?: string }> | undefined;

/** Reads a profile file. Throws UsageError with all problems, but without values, because values may be secret. */
export function readProfile(file: string): Profile {
  const content = readJson(file, 'profile');
  validate ??= new Ajv2020({ strict: true, allErrors: true }).compile<Profile & { $schema?: string }>(schema);
  if (!validate(content)) {
    const problems = schemaProblems(validate.errors ?? [], undefined, { schema: schema as SchemaNode, find: () => undefined });
    const lines = problems.map(({ path, sentence }) =>
      [`The profile ${file}`, path.join('.'), sentence].filter(Boolean).join(': '),
    );
    throw new UsageError(lines.join('\n'));
  }
  const { $schema: _, ...profile } = content;
  return profile;
}
