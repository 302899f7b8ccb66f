import difference from 'microdiff';

type Value = Record<string, unknown> | unknown[];

/** Shows the properties that differ between two JSON values, with both values. */
export function DiffView({ before, after }: { readonly before: Value; readonly after: Value }) {
  const changes = difference(before, after);
  if (changes.length === 0) return <p class="quiet">No property differs.</p>;
  return (
    <table class="diff">
      <thead>
        <tr>
          <th>Property</th>
          <th>Before</th>
          <th>After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.path.join('.')}>
            <th scope="row">{change.path.join('.')}</th>
            <td>{change.type !== 'CREATE' && <del>{JSON.stringify(change.oldValue)}</del>}</td>
            <td>{change.type !== 'REMOVE' && <ins>{JSON.stringify(change.value)}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
