/** The internal tasks of the company; `sample-rows.ts` says how a row is read. The states are t to do · p in progress · d done. */
export const operationsRows = `
t25 p22 d20 @eva ~120 #office +90@22 | Renew the lease of the workshop | Mietvertrag der Werkstatt verlängern
t25 p21 d19 @eva ~240 #people +180@20 | Draw up the holiday plan | Urlaubsplan aufstellen
t24 p20 d18 @ben ~90 #it +80@18 | Check the backup by restoring it | Datensicherung durch Wiederherstellen prüfen
> 18 ben n | Restored in 22 minutes, all hashes are equal. Next time in a quarter. | In 22 Minuten wiederhergestellt, alle Prüfsummen gleich. Nächstes Mal in einem Quartal.
t22 p19 d17 @eva ~60 #office +45@18 | New first-aid kits for the vans | Neue Verbandskästen für die Wagen
t21 p18 d16 @ana ~180 #people +150@17 | Interview guide for the support position | Leitfaden für die Gespräche zur Supportstelle
t20 p17 d15 @eva ~60 #finance +50@16 | File the advance return for VAT | Umsatzsteuer-Voranmeldung abgeben
t19 p16 d14 @ben ~120 #it +100@15 | Replace the laptop of Chloe | Laptop von Chloe ersetzen
t18 p14 d12 @eva ~90 #finance +75@13 | Compare offers for electricity | Stromangebote vergleichen
t17 p13 d11 @ana ~60 #people +60@12 | First week of the new trainee | Erste Woche des neuen Auszubildenden
t16 p12 d9 @eva ~120 #office +90@10 | Book the room for the team days | Raum für die Teamtage buchen
t15 p10 d8 @ben ~60 #it +40@9 | List of all licences and their dates | Liste aller Lizenzen mit Laufzeiten
t14 p9 d7 @eva ~45 #finance +40@8 | Remind three customers of open invoices | Drei Kunden an offene Rechnungen erinnern
t12 p8 d6 @ana ~90 #people +60@7 | Evaluate the survey about working hours | Umfrage zu Arbeitszeiten auswerten
t11 p7 d5 @ben ~30 #it +30@6 | Keys of the old office to the landlord | Schlüssel des alten Büros an den Vermieter
t10 p6 d4 @eva ~60 #finance +55@5 | File the advance return for VAT | Umsatzsteuer-Voranmeldung abgeben
t9 p5 d3 @eva ~30 #office +25@4 | Order coffee and tea | Kaffee und Tee bestellen
t8 p4 d2 @ana ~120 #people +90@3 | Yearly talks: invitations and dates | Jahresgespräche: Einladungen und Termine
t8 p3 ^-1 @ben ~180 !high #it +90@2 +60@1 | Move the mailboxes to the new provider | Postfächer zum neuen Anbieter umziehen
> 1 ben n | Five of eight mailboxes are moved; the shared ones follow at the weekend. | Fünf von acht Postfächern sind umgezogen; die gemeinsamen folgen am Wochenende.
t7 p2 ^2 @eva ~240 #finance +120@1 | Prepare the yearly accounts | Jahresabschluss vorbereiten
t7 p1 ^3 @ana ~90 #people +45@0 | Write the job advert for a developer | Stellenanzeige für Entwicklung schreiben
t6 ^-2 @me ~30 #office | Have the fire extinguishers checked | Feuerlöscher prüfen lassen
t6 ^1 @ben ~60 #it | Remove accounts that nobody uses | Ungenutzte Konten entfernen
t5 ^4 @eva ~45 #finance | Update the price list for services | Preisliste für Dienstleistungen aktualisieren
t4 ^5 @chloe ~120 #office | Sign at the entrance in the new colours | Schild am Eingang in den neuen Farben
t4 ^6 @me ~60 #people | Plan the team days | Teamtage planen
t3 ^8 @david ~90 #it | Exercise: the server room is without power | Übung: Serverraum ohne Strom
t3 ^9 @eva ~30 #finance | Ask for an offer for the second van | Angebot für den zweiten Wagen einholen
t2 ^12 @eva ~60 #office | Replace the chairs in the meeting room | Stühle im Besprechungsraum ersetzen
t1 ^15 @ben ~45 #it | Second internet line: compare providers | Zweite Internetleitung: Anbieter vergleichen
t1 @eva #office | Collect ideas for the summer party | Ideen für das Sommerfest sammeln
t4h @ana #people | Card for Ben’s anniversary | Karte zu Bens Jubiläum
`
