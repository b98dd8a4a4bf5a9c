export default function Room() {
  return <p class="loading">Nothing here yet.</p>;
}
