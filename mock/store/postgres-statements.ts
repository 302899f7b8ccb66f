/** The version of the tables and of the rows. A replica with an older version does not lead. */
export const FORMAT = 1;

/** `seen` is the latest time of a leader, in milliseconds. */
export const TABLES = `
  SELECT pg_advisory_xact_lock(5157290);
  CREATE TABLE IF NOT EXISTS giftcard_sandbox_rows (name text COLLATE "C" PRIMARY KEY, text text NOT NULL);
  CREATE TABLE IF NOT EXISTS giftcard_sandbox_lead (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), format int NOT NULL DEFAULT 1,
    version bigint NOT NULL DEFAULT 0, seen bigint NOT NULL DEFAULT 0, renewed timestamptz NOT NULL DEFAULT '-infinity',
    id text, host text, port int, token text);
  INSERT INTO giftcard_sandbox_lead DEFAULT VALUES ON CONFLICT DO NOTHING;`;

export const TAKE = `
  UPDATE giftcard_sandbox_lead SET format = $5, version = version + 1, renewed = clock_timestamp(), id = $1, host = $2, port = $3, token = $4
  WHERE format <= $5 AND (token = $4 OR renewed > clock_timestamp() + make_interval(secs => $6)
    OR renewed < clock_timestamp() - make_interval(secs => CASE WHEN token = $7 THEN $8 ELSE $6 END))
  RETURNING version::float8, greatest(seen, extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

/**
 * Does nothing if the replica does not lead any more, or if the version is not the expected one. Takes lists of lines, because neither names nor JSON have
 * line breaks, and because pg and PostgreSQL would take longer to write and read arrays.
 */
export const WRITE = `
  WITH lead AS (
    UPDATE giftcard_sandbox_lead SET version = version + 1, renewed = clock_timestamp(), seen = greatest(seen, $3) WHERE id = $1 AND version = $2
    RETURNING version),
  removed AS (DELETE FROM giftcard_sandbox_rows WHERE name = ANY (string_to_array($4, E'\\n')) AND EXISTS (SELECT FROM lead)),
  put AS (
    INSERT INTO giftcard_sandbox_rows SELECT name, text FROM unnest(string_to_array($5, E'\\n'), string_to_array($6, E'\\n')) AS given (name, text) WHERE EXISTS (SELECT FROM lead)
    ON CONFLICT (name) DO UPDATE SET text = excluded.text)
  SELECT version FROM lead`;
