import type { Language } from '../words/common.ts';
import { plainText } from './plain-text.ts';

/** The reasons of failed deliveries as the gateway stores them, in English, and in Portuguese. */
const pt: Readonly<Record<string, string>> = {
  'no answer': 'sem resposta',
  'not sent': 'não foi enviado',
  'the connection was closed before the answer was complete':
    'a ligação fechou antes de a resposta estar completa',
  'the target address is not public: set WEBHOOK_ALLOW_PRIVATE=true to send webhooks to your own network':
    'o endereço não é público: WEBHOOK_ALLOW_PRIVATE=true permite enviar para a sua própria rede',
  'the host cannot be reached': 'não se consegue chegar ao servidor',
  'timed out while connecting': 'o servidor não aceitou a ligação a tempo',
  'the certificate is self-signed': 'o certificado é assinado pelo próprio servidor',
  'the gateway is stopping': 'o gateway está a parar',
  'the certificate is not trusted (its chain may be incomplete)':
    'o certificado não é de confiança (pode faltar parte da cadeia)',
  'the certificate has expired': 'o certificado expirou',
  'the certificate is not valid yet': 'o certificado ainda não é válido',
  'the name look-up failed': 'a procura do nome falhou',
  'connection refused': 'a ligação foi recusada',
  'name not found': 'o nome não existe',
  'the certificate is for another name': 'o certificado é de outro nome',
  'the headers of the answer are too large': 'os cabeçalhos da resposta são demasiado grandes',
  'the answer is not valid HTTP': 'a resposta não é HTTP válido',
  'the TLS handshake failed': 'a ligação TLS falhou',
  'the endpoint was deleted': 'o destino foi apagado',
  'the endpoint is disabled': 'o destino está desativado',
};

/** Why a delivery failed, in the reader's words; what has none stays as it was stored. */
export function deliveryErrorText(
  { language }: { language: Language },
  error: string | null,
  longest?: number,
): string {
  const text = error ?? '';
  const known =
    language === 'en'
      ? text
      : (pt[text] ??
        text
          .replace(/^answered (\d+)/, 'respondeu $1')
          .replace(/^timed out after ([\d.]+) s$/, 'sem resposta ao fim de $1 s')
          .replace('; redirects are not followed', '; os redirecionamentos não são seguidos'));
  return plainText(known, longest);
}
