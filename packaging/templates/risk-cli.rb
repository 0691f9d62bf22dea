# Made by packaging/fill, for Formula/risk-cli.rb in the tap @tap@.
class RiskCli < Formula
  raise "@waits@"
  desc "Scriptable engine and arena for Risk and similar games"
  homepage "@homepage@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@downloads@/risk-cli-@version@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "@downloads@/risk-cli-@version@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@downloads@/risk-cli-@version@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@downloads@/risk-cli-@version@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
  end

  # Homebrew itself keeps both licences and the README.
  def install
    bin.install "risk-cli"
    bash_completion.install "completions/risk-cli.bash" => "risk-cli"
    fish_completion.install "completions/risk-cli.fish"
    zsh_completion.install "completions/risk-cli.zsh" => "_risk-cli"
    man1.install Dir["man/*.1"]
    prefix.install "LICENCES-OF-PACKAGES.txt"
  end

  test do
    assert_match "wins: nobody else is left", shell_output("#{bin}/risk-cli play --seed 7")
  end
end
