import { attempt } from "./notice";
import { openFiles } from "./open";

interface Props<Example> {
  examples: readonly Example[];
  onExample: (example: Example) => void;
}

/** The two ways in which every room with examples opens something: one of them, or a file. */
export function OpenFields<Example extends { name: string }>({ examples, onExample }: Props<Example>) {
  return (
    <>
      <label>
        Example{" "}
        <select
          aria-label="Example"
          value=""
          onChange={(event) => {
            const example = examples.find(({ name }) => name === event.currentTarget.value);
            if (example) {
              onExample(example);
            }
            event.currentTarget.value = "";
          }}
        >
          <option value="">choose…</option>
          {examples.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="file">
        File{" "}
        <input
          type="file"
          multiple
          onChange={(event) => attempt(() => openFiles([...(event.currentTarget.files ?? [])]))}
        />
      </label>
    </>
  );
}
